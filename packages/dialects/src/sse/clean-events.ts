import { Buffer } from 'node:buffer';
import { asObject, parseJson } from '../json/parse-object.ts';
import { hidesSecret, redactErrorEvent } from '../json/redact-errors.ts';
import { replaceEvents, type ReplacedEvent } from './replace-events.ts';

/** What makes an event one of a dialect, and how the dialect writes an error. */
export interface EventRules {
  /** Finds what the data of each event of the dialect contains; global. */
  mark: RegExp;
  /** True: clients find the type of an event only by its name. */
  isNamed?: true;
  /** @returns an error event of a stream that has begun */
  writeError(message: string): string;
}

type Redact = (text: string) => string;
type Span = Pick<ReplacedEvent, 'start' | 'end'>;
interface Line {
  text: string;
  /** A name that is not one of the standard's is dropped by every reader: such a line is no part of an event. */
  kind: 'data' | 'other' | 'none';
}

const CLOSE_BRACE = 0x7d;
const LF = 0x0a;
const CR = 0x0d;
/** A byte order mark, one character for each byte. */
const BOM = '\u00ef\u00bb\u00bf';
const DONE = '[DONE]';
/** The message of an event that is no JSON object. */
export const UNREADABLE_EVENT = 'The provider sent an event that cannot be read.';
const MAX_MESSAGE_LENGTH = 8_000;
/** The lines of nearly all events up to their data. */
const USUAL_START = /(?:id: ?\d{1,10}\r?\n)?(?:event: ?[a-z][a-z_.]{0,60}\r?\n)?data: ?\{/y;
/** The same of a dialect whose events have names. */
const NAMED_START = /(?:id: ?\d{1,10}\r?\n)?event: ?[a-z][a-z_.]{0,60}\r?\ndata: ?\{/y;
const TYPE = /^[a-z][a-z_.]{0,60}$/;
const LONE_CR = /\r(?!\n)/;
const USUAL_END = /data: ?\[DONE\]\r?\n\r?\n/y;
const BLANK_LINE = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)/g;
const LINE_END = /\r\n|\n|\r/;
const FIELD = /^(?:(?:event|id|retry)(?::|$)|:)/;

/**
 * Takes out of whole events what might show a credential and no reader of the dialect expects: lines that are no field of
 * an event, comments with a secret, texts in events of another form. Data that cannot be read becomes an error event.
 * @param text one character for each byte
 * @returns the text itself if nothing has changed
 */
export function cleanEvents(text: string, rules: EventRules, redact: Redact): string {
  const spans = findUnusual(text, rules);
  if (spans.length === 0) return text;
  const events = spans.map((span) => ({ span, lines: readLines(text, span) }));
  // All together: each search takes as long as a text of some length.
  const others = events
    .flatMap(({ lines }) => lines.flatMap((line) => (line.kind === 'other' ? [line.text] : [])))
    .join('\n');
  const keepsOthers = others === '' || redact(others) === others;
  const replaced: ReplacedEvent[] = [];
  for (const { span, lines } of events) {
    const kept = lines.filter(({ kind }) => kind === 'data' || (kind === 'other' && keepsOthers));
    const data = cleanData(lines, rules, redact);
    const name = rules.isNamed === true ? findMissingName(lines) : null;
    if (name !== null) kept.unshift({ text: `event: ${name}`, kind: 'other' });
    // The rest of the gateway knows no lines that end with CR alone.
    const isSame = name === null && !LONE_CR.test(text.slice(span.start, span.end));
    if (data === null && isSame && kept.length === lines.length) continue;
    replaced.push({
      ...span,
      text: toLatin1(data?.isError === true ? data.text : writeEvent(kept, data?.text)),
    });
  }
  return replaced.length === 0 ? text : (replaceEvents(text, replaced) ?? '');
}

/** Only the ends of the lines are looked at, as nearly all events are usual ones. */
function findUnusual(text: string, { mark, isNamed }: EventRules): Span[] {
  const found: Span[] = [];
  const usualStart = isNamed === true ? NAMED_START : USUAL_START;
  const hasLoneCr = text.includes('\r') && LONE_CR.test(text);
  /** The end of the last mark that was found. */
  let markEnd = 0;
  for (let at = 0; at < text.length;) {
    usualStart.lastIndex = at;
    USUAL_END.lastIndex = at;
    if (!hasLoneCr && usualStart.test(text)) {
      const start = usualStart.lastIndex;
      const lineEnd = text.indexOf('\n', start);
      if (markEnd < start) markEnd = findMark(text, mark, start);
      const end = endOfUsual(text, lineEnd);
      if (end > 0 && markEnd < lineEnd) {
        at = end;
        continue;
      }
    } else if (!hasLoneCr && USUAL_END.test(text)) {
      at = USUAL_END.lastIndex;
      continue;
    }
    const end = endOfEvent(text, at);
    found.push({ start: at, end });
    at = end;
  }
  return found;
}

/** @returns the offset behind the next mark; Infinity: there is none */
function findMark(text: string, mark: RegExp, start: number): number {
  mark.lastIndex = start;
  return mark.test(text) ? mark.lastIndex : Infinity;
}

/** @returns the offset behind the blank line after an object that ends at `lineEnd`; 0: there is none */
function endOfUsual(text: string, lineEnd: number): number {
  if (lineEnd < 0) return 0;
  const close = text.charCodeAt(lineEnd - 1) === CR ? lineEnd - 2 : lineEnd - 1;
  if (text.charCodeAt(close) !== CLOSE_BRACE) return 0;
  if (text.charCodeAt(lineEnd + 1) === LF) return lineEnd + 2;
  return text.charCodeAt(lineEnd + 1) === CR && text.charCodeAt(lineEnd + 2) === LF ? lineEnd + 3 : 0;
}

function endOfEvent(text: string, start: number): number {
  BLANK_LINE.lastIndex = start;
  return BLANK_LINE.test(text) ? BLANK_LINE.lastIndex : text.length;
}

function readLines(text: string, { start, end }: Span): Line[] {
  const event = text.slice(start, end);
  const plain = start === 0 && event.startsWith(BOM) ? event.slice(BOM.length) : event;
  return Buffer.from(plain, 'latin1')
    .toString('utf8')
    .split(LINE_END)
    .filter((line) => line !== '')
    .map((line) => ({ text: line, kind: getKind(line) }));
}

function getKind(line: string): Line['kind'] {
  if (line === 'data' || line.startsWith('data:')) return 'data';
  return FIELD.test(line) ? 'other' : 'none';
}

/** @returns null: the event has a name, or none can be found */
function findMissingName(lines: readonly Line[]): string | null {
  if (lines.some(({ text }) => text.startsWith('event:'))) return null;
  const type = asObject(parseJson(joinData(lines)))?.['type'];
  return typeof type === 'string' && TYPE.test(type) ? type : null;
}

function joinData(lines: readonly Line[]): string {
  return lines
    .flatMap(({ text, kind }) => (kind === 'data' ? [text.slice('data:'.length)] : []))
    .join('\n')
    .trim();
}

/** @returns null: the data stays as it is */
function cleanData(
  lines: readonly Line[],
  rules: EventRules,
  redact: Redact,
): { text: string; isError: boolean } | null {
  const data = joinData(lines);
  if (data === '' || data === DONE) return null;
  const value = parseJson(data);
  const object = asObject(value);
  if (object === null) return { text: rules.writeError(describe(value, data, redact)), isError: true };
  if (findMark(data, rules.mark, 0) !== Infinity) return null;
  const redacted = redactErrorEvent(object, redact);
  return redacted === object && !hidesSecret(data, object, redact)
    ? null
    : { text: JSON.stringify(redacted), isError: false };
}

/** A text is a provider's message; of a JSON value that is cut, too deep or no object, the caller sees nothing. */
function describe(value: unknown, data: string, redact: Redact): string {
  const isText = value === undefined && !/^[{["]/.test(data);
  const message = typeof value === 'string' ? value : isText ? data : UNREADABLE_EVENT;
  return redact(message).slice(0, MAX_MESSAGE_LENGTH);
}

/** @param data in place of the data lines; absent: they stay */
function writeEvent(lines: readonly Line[], data: string | undefined): string {
  const kept = data === undefined ? lines : lines.filter(({ kind }) => kind !== 'data');
  const written = kept.map(({ text }) => text);
  if (data !== undefined) written.push(`data: ${data}`);
  return written.length === 0 ? '' : [...written, '', ''].join('\n');
}

function toLatin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
