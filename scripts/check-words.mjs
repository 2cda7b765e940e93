// Checks that the text of the repository is plain English: no banned word, and no sentence of the console over 20 words.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';

const ROOT = path.resolve(import.meta.dirname, '..');
const DATA = 'docs/plain-words.json';
const TEXT_FILE = /\.(?:ts|tsx|mjs|md)$/;
/** What a user reads in the console. */
const CONSOLE_TEXT = /^console\/(?:src\/.*\.tsx?|server\/mail\/.*templates\.ts)$/;
const TEST_FILE = /\.(?:test|spec|fixture)\.tsx?$/;
/** Files that must name the words themselves. */
const EXEMPT = new Set(['docs/glossary.md', 'scripts/check-words.test.mjs']);
const MAX_WORDS = 20;

/**
 * @param {string} text of one file
 * @param {{ pattern: string, case?: boolean }[]} patterns `case` true: upper and lower case differ
 * @returns {{ pattern: string, line: number, text: string }[]}
 */
export function findBannedWords(text, patterns) {
  const lines = text.split('\n');
  return patterns.flatMap(({ pattern, case: isCaseSensitive = false }) => {
    const expression = new RegExp(pattern, isCaseSensitive ? 'u' : 'iu');
    return lines.flatMap((line, at) =>
      expression.test(line) ? [{ pattern, line: at + 1, text: line.trim() }] : [],
    );
  });
}

/**
 * Finds sentences of more than 20 words in strings and JSX. An expression within counts as one word.
 * @returns {{ line: number, text: string }[]}
 */
export function findLongSentences(file, source) {
  const { program } = parseSync(file, source);
  const found = [];
  visit(program, (node) => {
    const text = readText(node);
    if (text === null) return;
    const long = text
      .split(/(?<=[.!?:])\s+/)
      .find((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > MAX_WORDS);
    if (long !== undefined) found.push({ line: source.slice(0, node.start).split('\n').length, text: long });
  });
  return found;
}

/** @returns the text of a string, a template or the children of a JSX element; null: the node is none of them */
function readText(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '').join(' X ');
  if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') return null;
  return node.children
    .map((child) => (child.type === 'JSXText' ? child.value : ' X '))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

function visit(node, meet) {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const each of node) visit(each, meet);
    return;
  }
  if (typeof node.type !== 'string') return;
  meet(node);
  // Addresses and classes are no sentences.
  if (node.type === 'ImportDeclaration' || (node.type === 'JSXAttribute' && node.name.name === 'className'))
    return;
  for (const [name, value] of Object.entries(node)) if (name !== 'parent') visit(value, meet);
}

function main() {
  const { patterns } = JSON.parse(readFileSync(path.join(ROOT, DATA), 'utf8'));
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => TEXT_FILE.test(file) && !EXEMPT.has(file));
  const uses = new Map(patterns.map(({ pattern }) => [pattern, []]));
  const problems = [];
  for (const file of files) {
    const source = readFileSync(path.join(ROOT, file), 'utf8');
    for (const { pattern, line, text } of findBannedWords(source, patterns))
      uses.get(pattern).push(`${file}:${line}: ${text}`);
    if (!CONSOLE_TEXT.test(file) || TEST_FILE.test(file)) continue;
    for (const { line, text } of findLongSentences(file, source))
      problems.push(`${file}:${line}: a sentence of more than ${MAX_WORDS} words: ${text}`);
  }
  for (const { pattern, instead, remaining = 0 } of patterns) {
    const found = uses.get(pattern);
    if (found.length > remaining)
      problems.push(
        `/${pattern}/ has ${found.length} uses, at most ${remaining} are left from before. Write: ${instead}`,
        ...found.slice(0, 20).map((use) => `  ${use}`),
      );
    else if (found.length < remaining)
      problems.push(
        `/${pattern}/ has ${found.length} uses left: lower "remaining" in ${DATA} from ${remaining}.`,
      );
  }
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
