/** Longer than any model name; input from callers and providers can have any length. */
const MAX_NAME_LENGTH = 200;
/** Of a provider's sentence. */
const MAX_MESSAGE_LENGTH = 300;
/** Of the message that a caller got. */
const MAX_ERROR_LENGTH = 500;
/** Characters that PostgreSQL text does not allow. */
const NUL = '\0';

/** Makes an external name storable: truncated, without NUL or lone surrogates. */
export function boundName<T extends string | null>(name: T): T | string {
  return name === null ? name : boundText(name, MAX_NAME_LENGTH);
}

/** The same for a provider's sentence. */
export function boundMessage(message: string): string {
  return boundText(message, MAX_MESSAGE_LENGTH);
}

/** The same for the message that a caller got. */
export function boundError(message: string): string {
  return boundText(message, MAX_ERROR_LENGTH);
}

function boundText(text: string, maxLength: number): string {
  const short = text.length > maxLength ? text.slice(0, maxLength) : text;
  return (short.includes(NUL) ? short.replaceAll(NUL, '') : short).toWellFormed();
}
