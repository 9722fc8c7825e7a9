/**
 * A request that breaks a rule. Its response carries the message, by default with 400. Functions return it in place of their
 * result.
 */
export class Refused {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}
