/** A request that breaks a rule. Its 400 response carries the message. */
export interface Refused {
  readonly kind: 'refused';
  readonly message: string;
}

export const refused = (message: string): Refused => ({ kind: 'refused', message });
