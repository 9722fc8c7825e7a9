/** A request that the rules refuse, with the message that its 400 carries. */
export interface Refused {
  readonly kind: 'refused';
  readonly message: string;
}

export const refused = (message: string): Refused => ({ kind: 'refused', message });
