/** Levels of quotes, lists and emphasis. Chromium's tab crashes at about 1,200 nested elements. */
const MOST_LEVELS = 50;
/** The time to pair the marks of emphasis grows with the square of their number. */
const MOST_EMPHASIS_MARKS = 4_000;

const DEEP_LINE = new RegExp(
  String.raw`^[ \t]*(?:(?:>|\[\^[^\]\s]{1,999}\]:)[ \t]*|(?:[-+*]|\d{1,9}[.)])[ \t]+){${MOST_LEVELS + 1}}`,
  'm',
);
/** A level of lists has at least two columns. */
const DEEP_ITEM = new RegExp(String.raw`^[ \t]{${2 * MOST_LEVELS},}(?:[-+*]|\d{1,9}[.)])[ \t]`, 'm');
const BLANK_LINE = /\n[ \t]*\n/;
const EMPHASIS_MARK = /[*_~]/g;

/** The parts of a syntax tree of Markdown that count. */
interface MarkdownNode {
  type: string;
  data?: { hProperties: { className: string }; hChildren: { type: 'text'; value: string }[] };
  children?: MarkdownNode[];
}

/** True if parsing the text could stall the page or exhaust the stack. */
export function isCostlyMarkdown(text: string): boolean {
  if (DEEP_LINE.test(text) || DEEP_ITEM.test(text)) return true;
  return text.split(BLANK_LINE).some((block) => countMarks(block) > MOST_EMPHASIS_MARKS);
}

/** A plugin of the Markdown library: a text that is nested too deeply becomes one paragraph, as it was sent. */
export function flattenDeepMarkdown() {
  return (root: MarkdownNode, source: { toString: () => string }): void => {
    if (!isDeep(root)) return;
    // As children of the element, because a text of Markdown would lose its indentation.
    const hChildren = [{ type: 'text' as const, value: source.toString() }];
    const hProperties = { className: 'whitespace-pre-wrap' };
    root.children = [{ type: 'paragraph', data: { hProperties, hChildren }, children: [] }];
  };
}

function countMarks(block: string): number {
  return block.length > MOST_EMPHASIS_MARKS ? (block.match(EMPHASIS_MARK)?.length ?? 0) : 0;
}

/** Goes through the levels without recursion, which a deep tree would break. */
function isDeep(root: MarkdownNode): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_LEVELS) return true;
    level = level.flatMap(({ children }) => children ?? []);
  }
  return false;
}
