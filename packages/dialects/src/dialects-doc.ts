import { anthropicFieldTable } from './anthropic-messages/field-table.ts';
import { renderContracts, type DocumentedProvider } from './contract/contract-doc.ts';
import type { FieldMapping, FieldTable } from './field-table.ts';
import { openAiChatFieldTable } from './openai-chat/field-table.ts';
import { openAiResponsesFieldTable } from './openai-responses/field-table.ts';

/** Every dialect that the document tells of: another one is a line more. */
const DIALECTS: readonly DocumentedDialect[] = [
  { title: 'OpenAI chat completions', endpoint: '/v1/chat/completions', table: openAiChatFieldTable },
  { title: 'OpenAI responses', endpoint: '/v1/responses', table: openAiResponsesFieldTable },
  { title: 'Anthropic messages', endpoint: '/v1/messages', table: anthropicFieldTable },
];

interface DocumentedDialect {
  title: string;
  endpoint: string;
  table: FieldTable;
}

const INTRODUCTION = `# Dialects

A request goes to a provider of its own dialect as it is, byte for byte except for the members that the gateway must change and those that its contract drops (see _Request contracts_ below). It goes to a provider of another dialect through the canonical completion (\`packages/core/src/completion\`), and of every field of that the tables below say what becomes of it:

- **carried**: the target has the field under the same name.
- **mapped**: the target says it in its own way.
- **dropped**: the target has no place for it and the answer means the same without it. The header \`x-tollgate-dropped-params\` of the answer names it, in the caller's terms.
- **refused**: the answer would mean something else without it. The request is denied with 400 \`unsupported_parameter\`, and \`param\` names the field.

What a dialect cannot ask for is not in its tables. A dash stands for a field without one name: it is read where other providers of the dialect take it, such as \`top_k\` in chat completions, or belongs to one dialect alone.

This file is written from the tables that the encoders' tests hold to (\`field-table.ts\` of each dialect in \`packages/dialects/src\`) and from the contracts that requests are held against (\`packages/dialects/src/contract\`, and \`contract\` of each preset in \`packages/upstreams/src/presets\`). After a change there: \`npm test -- --run dialects-doc -u\`.
`;

/**
 * Writes `docs/dialects.md`: from each dialect into each other one, what becomes of every field, then the request
 * contracts.
 * @param providers whose contracts it lists
 */
export function renderDialectsDoc(providers: readonly DocumentedProvider[]): string {
  const pairs = DIALECTS.flatMap((source) =>
    DIALECTS.filter((target) => target !== source).map((target) => renderPair(source, target)),
  );
  return [INTRODUCTION, ...pairs, renderContracts(providers)].join('\n');
}

function renderPair(source: DocumentedDialect, target: DocumentedDialect): string {
  const heading = `## ${source.title} → ${target.title}\n\nAsked at \`${source.endpoint}\`, answered by a model whose provider speaks the other.\n`;
  const names = Object.entries<FieldMapping>(source.table);
  const fates = new Map(Object.entries<FieldMapping>(target.table));
  const sections = [
    { title: 'What is asked', isIn: (field: string) => !isContent(field) },
    { title: 'What messages hold', isIn: isContent },
  ].map(({ title, isIn }) => {
    const rows = names.flatMap(([field, { to, remark }]) => {
      const fate = fates.get(field);
      // Without a name and a remark, the source has no way at all to ask for it.
      const isAsked = to !== null || remark !== null;
      return fate === undefined || !isAsked || !isIn(field) ? [] : [rowOf(field, to, fate)];
    });
    return `### ${title}\n\n${renderTable(rows)}`;
  });
  return [heading, ...sections].join('\n');
}

const isContent = (field: string) => field.startsWith('content.');

function rowOf(field: string, sourceName: string | null, { fate, to, remark }: FieldMapping): string[] {
  const isCarried = fate === 'maps' && to === sourceName;
  const word = isCarried ? 'carried' : fate === 'maps' ? 'mapped' : fate;
  return [field.replace(/^(sampling|content)\./, ''), code(sourceName), word, code(to), remark ?? ''];
}

/** `a, b` → each of them as code. */
function code(names: string | null): string {
  if (names === null) return '–';
  return names
    .split(', ')
    .map((name) => (/^[\w.[\]]+$/.test(name) ? `\`${name}\`` : name))
    .join(', ');
}

/** A table as the formatter of the repository leaves it: columns as wide as their widest cell. */
function renderTable(rows: readonly string[][]): string {
  const header = ['field', 'asked as', 'fate', 'sent as', 'note'];
  const all = [header, ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |\n`;
  return line(header) + rule + all.slice(1).map(line).join('');
}
