import { withoutDate } from '../without-date.ts';

/** Aliases at a provider, whose answers contain the other name. */
const ALIASES: readonly (readonly [asked: RegExp, served: RegExp])[] = [
  [/^gpt-5-6$/, /^gpt-5-6-sol$/],
  [/^grok-4-fast$/, /^grok-4-fast-(?:non-)?reasoning$/],
  [/^grok-4-1-fast$/, /^grok-4-1-fast-(?:non-)?reasoning$/],
  [/^deepseek-(?:chat|reasoner)$/, /^deepseek-(?:chat|reasoner|v\d[\w-]*)$/],
  [/^gemini-flash-latest$/, /^gemini-\d[\d-]*-flash(?:-preview(?:-\d\d-\d{4})?)?$/],
  [/^gemini-flash-lite-latest$/, /^gemini-\d[\d-]*-flash-lite(?:-preview(?:-\d\d-\d{4})?)?$/],
  [/^gemini-pro-latest$/, /^gemini-\d[\d-]*-pro(?:-preview(?:-\d\d-\d{4})?)?$/],
];

/** A version at the end of a name that is no full date: `-0125`, `-2506`, `-001`, `-preview-05-06`, `-09-2025`. */
const SHORT_VERSION = /-(?:\d{2}-\d{4}|\d{2}-\d{2}|\d{6}|\d{4}|00\d)$/;
const LATEST = /-latest$/;
/** `us.anthropic.`, `global.amazon.`: Bedrock's region and maker of a model. */
const BEDROCK_PREFIX =
  /^(?:(?:us|us-gov|eu|apac|jp|au|ca|sa|global)\.)?(?:anthropic|openai|amazon|meta|mistral|deepseek|qwen|moonshotai|minimax|google|nvidia|zai)\./;
const BEDROCK_VERSION = /-v\d+(?::\d+)?$/;
/** How OpenRouter finds a provider; the answer leaves it out. `:free` has a separate price. */
const ROUTING_VARIANT = /:(?:online|nitro|floor|exacto|latest)$/;
const FILE_END = /\.gguf$/;
/** Names of an operator's own choice say nothing about the model behind them. */
const OPAQUE = /^arn:|^ft:|^projects\/|^endpoints\//;

/**
 * True if a response's `model` may be the requested one: it is the same model, or the requested name was chosen by the
 * operator and says nothing about the model.
 * @param asked the upstream model, as sent
 * @param served the `model` of the response
 */
export function isServedModel(asked: string, served: string): boolean {
  return isSameModel(asked, served) || OPAQUE.test(asked.toLowerCase());
}

/**
 * True if a response names the same model: by the same name, a dated snapshot of it, or one of its aliases.
 * Prefixes of publishers, regions and paths do not count. Two different snapshots are two models.
 * @param asked see {@link isServedModel}
 * @param served see {@link isServedModel}
 */
export function isSameModel(asked: string, served: string): boolean {
  if (asked === served) return true;
  // A served name holds no NUL.
  const pair = `${asked}\0${served}`;
  const known = pairs.get(pair);
  if (known !== undefined) return known;
  if (pairs.size >= MAX_PAIRS) pairs.clear();
  const isSame = compareNames(asked, served);
  pairs.set(pair, isSame);
  return isSame;
}

const MAX_PAIRS = 256;
/** Responses of one model have the same name: comparing takes longer than looking it up. */
const pairs = new Map<string, boolean>();

function compareNames(asked: string, served: string): boolean {
  const wanted = plainName(asked);
  const given = plainName(served);
  if (wanted === given) return true;
  if (ALIASES.some(([from, to]) => from.test(wanted) && to.test(given))) return true;
  const family = wanted.replace(LATEST, '');
  if (family === given.replace(LATEST, '')) return true;
  // A snapshot requested by its date must match exactly.
  const bare = withoutVersion(given);
  return bare !== given && bare === family;
}

function withoutVersion(name: string): string {
  const undated = withoutDate(name);
  return undated === name ? name.replace(SHORT_VERSION, '') : undated;
}

/** A name without what differs between the places that serve a model. */
function plainName(name: string): string {
  const lower = name.trim().toLowerCase().replace(FILE_END, '').replace(ROUTING_VARIANT, '');
  const last = lower.slice(lower.lastIndexOf('/') + 1);
  return last
    .replace(BEDROCK_PREFIX, '')
    .replace(BEDROCK_VERSION, '')
    .replaceAll('@', '-')
    .replaceAll('.', '-');
}
