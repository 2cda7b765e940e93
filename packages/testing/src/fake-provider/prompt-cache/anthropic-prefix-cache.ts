import { createHash } from 'node:crypto';
import { asObject } from '../parse-completion-request.ts';
import { ExpiringSet } from './expiring-set.ts';
import { countTokens, type CachedInput } from './cached-input.ts';

const MAX_BREAKPOINTS = 4;
/** How many blocks the provider looks at for each breakpoint, with its own. */
const LOOKBACK_BLOCKS = 20;
const MINUTE_MS = 60_000;
const LIFE_MS = { '5m': 5 * MINUTE_MS, '1h': 60 * MINUTE_MS };
/** Claude Code's block for the API itself: it is not a part of the prompt. */
const BILLING_HEADER = 'x-anthropic-billing-header:';

/** The shortest cached prefix, in tokens. Independent of the gateway's own table. */
const MIN_TOKENS: readonly (readonly [RegExp, number])[] = [
  [/opus-5|fable|mythos/, 512],
  [/opus-4-7/, 2_048],
  [/opus-4-[56]|haiku-4-5/, 4_096],
  [/claude/, 1_024],
];

interface Block {
  hash: string;
  /** Of the prompt up to the end of the block. */
  tokens: number;
  /** null: no breakpoint. */
  lifeMs: number | null;
}

/**
 * Anthropic's prompt cache (https://platform.claude.com/docs/en/build-with-claude/prompt-caching): an entry for the exact prefix
 * of each breakpoint, in the order tools, system prompt, messages.
 */
export class AnthropicPrefixCache {
  readonly #entries: ExpiringSet;

  constructor(now: () => number) {
    this.#entries = new ExpiringSet(now);
  }

  /** @returns null for a request that the provider refuses: it has too many breakpoints */
  read(body: Record<string, unknown>): CachedInput | null {
    const model = typeof body.model === 'string' ? body.model : '';
    const blocks = listBlocks(body);
    const marked = blocks.flatMap(({ lifeMs }, at) => (lifeMs === null ? [] : [at]));
    if (marked.length > MAX_BREAKPOINTS) return null;
    const total = blocks.at(-1)?.tokens ?? 0;
    const minTokens = MIN_TOKENS.find(([pattern]) => pattern.test(model))?.[1] ?? Infinity;
    const hit = blocks[this.#findHit(blocks, marked)];
    const read = hit?.tokens ?? 0;
    let written = 0;
    for (const at of marked) {
      const { hash, tokens = 0, lifeMs = null } = blocks[at] ?? {};
      if (hash === undefined || lifeMs === null || tokens < minTokens) continue;
      this.#entries.keep(hash, lifeMs);
      written = Math.max(written, tokens - read);
    }
    if (hit !== undefined) this.#entries.keep(hit.hash, LIFE_MS['5m']);
    return { inputTokens: total - read - written, cacheReadTokens: read, cacheWriteTokens: written };
  }

  /** @returns the last block that ends a cached prefix; -1 if none does */
  #findHit(blocks: readonly Block[], marked: readonly number[]): number {
    const found = marked.map((end) => {
      const start = Math.max(0, end - LOOKBACK_BLOCKS + 1);
      const at = blocks.slice(start, end + 1).findLastIndex(({ hash }) => this.#entries.has(hash));
      return at < 0 ? -1 : start + at;
    });
    return Math.max(-1, ...found);
  }
}

function listBlocks(body: Record<string, unknown>): Block[] {
  const blocks: Block[] = [];
  let before = String(body.model);
  let tokens = 0;
  const add = (value: unknown, place: string) => {
    const { cache_control: control, ...block } = asObject(value);
    const text = JSON.stringify(block);
    tokens += countTokens(text);
    before = createHash('sha256')
      .update(JSON.stringify([before, place, text]))
      .digest('base64url');
    blocks.push({ hash: before, tokens, lifeMs: getLife(control) });
  };
  for (const tool of getBlocks(body.tools)) add(tool, 'tools');
  for (const block of getBlocks(body.system)) if (!isBillingHeader(block)) add(block, 'system');
  // Both change how the messages are read.
  before += JSON.stringify([body.tool_choice, body.thinking]);
  for (const message of getBlocks(body.messages)) {
    const { role, content } = asObject(message);
    for (const block of getBlocks(content)) add(block, `messages ${String(role)}`);
  }
  const last = blocks.at(-1);
  if (last !== undefined) last.lifeMs ??= getLife(body.cache_control);
  return blocks;
}

function getBlocks(value: unknown): unknown[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  return Array.isArray(value) ? value : [];
}

function isBillingHeader(block: unknown): boolean {
  const { text } = asObject(block);
  return typeof text === 'string' && text.startsWith(BILLING_HEADER);
}

function getLife(control: unknown): number | null {
  const { type, ttl } = asObject(control);
  if (type !== 'ephemeral') return null;
  return ttl === '1h' ? LIFE_MS['1h'] : LIFE_MS['5m'];
}
