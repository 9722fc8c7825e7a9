/** A request that breaks a rule. Its 400 response carries the message. Functions return it in place of their result. */
export class Refused {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}
