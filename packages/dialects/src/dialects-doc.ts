import type { Dialect } from '@tollgate/core/models/dialect';
import { anthropicFieldTable } from './anthropic-messages/field-table.ts';
import { renderContracts, type DocumentedProvider } from './contract/contract-doc.ts';
import type { FieldMapping, FieldTable } from './field-table.ts';
import { openAiChatFieldTable } from './openai-chat/field-table.ts';
import { NO_QUIRKS, type ProviderQuirks } from './openai-chat/quirks/provider-quirks.ts';
import { QUIRKS } from './openai-chat/quirks/quirk-table.ts';
import { renderModelRules } from './model-rules/model-rules-doc.ts';
import { openAiResponsesFieldTable } from './openai-responses/field-table.ts';
import { PROMPT_CACHE } from './prompt-cache/prompt-cache-doc.ts';
import { renderTable } from './render-table.ts';

/** Every dialect of the document. */
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

A dialect is the API format of a caller or a provider: OpenAI's chat completions, OpenAI's responses, or Anthropic's messages.

If a provider speaks the caller's dialect, the gateway forwards the request without translation (_passthrough_). All bytes stay unchanged except members that

- the gateway must set, such as \`store: false\`,
- the provider spells in another way ([Provider quirks](#provider-quirks)),
- the model refuses ([Rules of models](#rules-of-models)),
- would break the prompt cache of the provider ([Prompt caching](#prompt-caching)),
- the contract drops ([Request contracts](#request-contracts)).

If the provider speaks another dialect, the gateway translates the request. It decodes the caller's dialect, the _source_, into a common form, the canonical request (\`packages/core/src/completion\`), and encodes that in the provider's dialect, the _target_. The tables below list the result for each field of the canonical request:

- **carried**: the target has the field under the same name.
- **mapped**: the target has another name or form for the field.
- **applied**: the target has no such field, and the gateway applies it to the response.
- **dropped**: the target has no such field, and the response is still useful without it. The header \`x-tollgate-dropped-params\` of the response lists the field under its name in the caller's dialect.
- **refused**: the target has no such field, and without it the response would not be what the caller requested. The request is refused with 400 \`unsupported_parameter\`, and \`param\` names the field.

The \`model\` of a response is the model that answered, by the provider's name: also in translation, and after a failover to a route with another upstream model. At \`/v1/messages\`, and for models with fallback models, the header \`x-tollgate-requested-model\` has the model of the request.

A stream begins with its first content: text, a tool call, reasoning. If a provider is silent before that, the caller gets pings, and another route may still answer ([why](decisions/2026-11-26-a-stream-begins-with-content.md)). A complete stream of chat completions ends with \`[DONE]\`, also if the provider leaves it out. A stream that breaks off can be continued by another attempt: the event with its finish reason then contains \`tollgate: {"continued": 1}\` ([why](decisions/2026-11-27-streams-that-are-continued.md)).

A table omits fields that its source cannot express. A dash means that the dialect has no single name for the field: it has none, or only some of its providers accept the field, such as \`top_k\` in chat completions. The [glossary](glossary.md) defines the terms.

This file is generated from the tables with which the encoders are tested (\`field-table.ts\` of each dialect in \`packages/dialects/src\`), from the rules of models (\`packages/dialects/src/model-rules\`), from the quirks (\`quirk-table.ts\`, and \`quirks\` of each preset in \`packages/upstreams/src/presets\`) and from the request contracts (\`packages/dialects/src/contract\`, and \`contract\` of each preset in \`packages/upstreams/src/presets\`). After a change there, run \`npm test -- --run dialects-doc -u\`.
`;

const QUIRKS_INTRODUCTION = `## Provider quirks

Some providers with the dialect OpenAI chat completions differ from OpenAI. The gateway adapts requests to them, in passthrough and in translation, according to \`packages/dialects/src/openai-chat/quirks/quirk-table.ts\`. Providers without quirks and custom servers get requests without these changes. The column _values_ lists the presets with each value of a quirk; \`others\` means all other presets that have quirks.
`;

/** A preset as the document lists it. */
interface DocumentedPreset extends DocumentedProvider {
  dialect: Dialect;
  quirks: ProviderQuirks;
}

/**
 * Writes `docs/dialects.md`: the translation of every field between each pair of dialects, then prompt caching, the rules of models, the
 * quirks of providers and the request contracts.
 * @param providers providers whose quirks and contracts are listed
 */
export function renderDialectsDoc(providers: readonly DocumentedPreset[]): string {
  const pairs = DIALECTS.flatMap((source) =>
    DIALECTS.filter((target) => target !== source).map((target) => renderPair(source, target)),
  );
  return [
    INTRODUCTION,
    ...pairs,
    PROMPT_CACHE,
    renderModelRules(),
    renderQuirks(providers),
    renderContracts(providers),
  ].join('\n');
}

function renderQuirks(providers: readonly DocumentedPreset[]): string {
  const unusual = providers.filter(
    ({ dialect, quirks }) => dialect === 'openai-chat' && quirks !== NO_QUIRKS,
  );
  const rows = Object.entries(QUIRKS).map(([name, { about }]) => {
    const byValue = Map.groupBy(unusual, ({ quirks }) => formatValue(Object.entries(quirks), name));
    const [most, ...others] = [...byValue].toSorted(([, one], [, other]) => other.length - one.length);
    const values = [
      ...others.map(([value, presets]) => `${value}: ${presets.map((preset) => preset.name).join(', ')}`),
      ...(most === undefined ? [] : [`${most[0]}: ${others.length === 0 ? 'all' : 'others'}`]),
    ];
    return [code(name), about, values.join('; ')];
  });
  return `${QUIRKS_INTRODUCTION}\n${renderTable(['field', 'change', 'values'], rows)}`;
}

function formatValue(values: readonly [string, unknown][], name: string): string {
  const value = values.find(([field]) => field === name)?.[1];
  if (value === null) return 'no limit';
  if (Array.isArray(value)) return code(value.join(', ') || null);
  return code(typeof value === 'string' ? value : JSON.stringify(value));
}

function renderPair(source: DocumentedDialect, target: DocumentedDialect): string {
  const heading = `## ${source.title} → ${target.title}\n\nThe caller sends the request to \`${source.endpoint}\`, and the provider speaks ${target.title}.\n`;
  const names = Object.entries<FieldMapping>(source.table);
  const handlings = new Map(Object.entries<FieldMapping>(target.table));
  const sections = [
    { title: 'Request fields', isIn: (field: string) => !isContent(field) },
    { title: 'Message content', isIn: isContent },
  ].map(({ title, isIn }) => {
    const rows = names.flatMap(([field, { to, from = to, remark, isAskable = true }]) => {
      const handling = handlings.get(field);
      // Without a name and a remark, the source cannot express the field.
      const isAsked = isAskable && (from !== null || remark !== null);
      return handling === undefined || !isAsked || !isIn(field) ? [] : [getRow(field, from, handling)];
    });
    return `### ${title}\n\n${renderTable(HEADER, rows)}`;
  });
  return [heading, ...sections].join('\n');
}

const HEADER = ['field', 'source', 'result', 'target', 'note'];

const isContent = (field: string) => field.startsWith('content.');

function getRow(field: string, sourceName: string | null, { handling, to, remark }: FieldMapping): string[] {
  const isCarried = handling === 'maps' && to === sourceName;
  const word = isCarried ? 'carried' : handling === 'maps' ? 'mapped' : handling;
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
