const REDACTED = '[redacted]';
/** Members whose value identifies or authenticates the gateway, in any form. */
const SECRET_NAMES =
  /^(?:proxy-)?authorization$|api[-_]?key$|subscription-key$|^(?:set-)?cookie$|^(?:x-amz-)?security-token$|^x-goog-user-project$|^(?:(?:anthropic|openai)[-_])?(?:organi[sz]ation|org|project|workspace|tenant|account|subscription)(?:[-_]?(?:id|uuid|number|name))?$/i;
const MAX_DEPTH = 20;
/** Of all texts of a value together. What is more takes long to search, and explains no error. */
const MAX_CHARACTERS = 64 * 1024;
/** The search of a text takes as long as this many characters at least. */
const MIN_CHARGE = 32;
/** No secret is shorter: such a text is not searched. */
const MIN_LENGTH = 6;

/**
 * Redacts every text in a parsed JSON value, the names of members included. Beyond 64 Ki characters, of which each
 * text counts 32 at least, texts are left out.
 * @returns the value itself if nothing had to be redacted
 */
export function redactStrings(value: unknown, redact: (text: string) => string): unknown {
  let leftCharacters = MAX_CHARACTERS;
  const redactBounded = (text: string) => {
    if (text.length < MIN_LENGTH) return text;
    leftCharacters -= Math.max(text.length, MIN_CHARGE);
    return leftCharacters < 0 ? REDACTED : redact(text);
  };
  return visit(value, redactBounded, 0);
}

function visit(value: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => visit(entry, redact, depth + 1));
    return entries.some((entry, at) => entry !== value[at]) ? entries : value;
  }
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    // Before its value, which may take all that is left.
    const redactedName = redact(name);
    const isSecret = SECRET_NAMES.test(name) && typeof member === 'string';
    const redacted = isSecret ? REDACTED : visit(member, redact, depth + 1);
    return { name: redactedName, redacted, isChanged: redacted !== member || redactedName !== name };
  });
  return members.some(({ isChanged }) => isChanged)
    ? Object.fromEntries(members.map(({ name, redacted }) => [name, redacted]))
    : value;
}
