/** The value of a JSON text. Undefined when the text is not JSON. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
