import { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import { findHistoryMarks } from '@tollgate/dialects/history/fit-history';
import { readMemberPlaces } from '@tollgate/dialects/json/member-places';
import { scanBody } from '@tollgate/dialects/json/scan-body';
import { UNBOUNDED } from '@tollgate/dialects/outline/outline-body';
import type { ParsedRequest } from '@tollgate/dialects/relay-request';
import { VALID_BODIES } from '@tollgate/testing/bad-input/valid-bodies';
import { loadDialectRecordings } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from './decode-body.ts';
import { likelyInputTokens } from './likely-tokens.ts';
import { createOutlineBodies } from './outline-bodies.fixture.ts';
import { parseBody, parseOutline, REQUEST_PARSERS, type ParsedBody } from './parse-body.ts';

/** Number of bodies per dialect. */
const BODIES = Number(process.env.OUTLINE_BODIES ?? 1_500);
const SEED = Number(process.env.OUTLINE_SEED ?? 7);

const ENDPOINTS = [
  { endpoint: '/v1/chat/completions', dialect: 'openai-chat' },
  { endpoint: '/v1/messages', dialect: 'anthropic-messages' },
  { endpoint: '/v1/responses', dialect: 'openai-responses' },
] as const;

/** The reading of the whole body with `JSON.parse`. */
function parseWhole(endpoint: (typeof ENDPOINTS)[number]['endpoint'], body: Buffer): Result<ParsedRequest> {
  const ambiguous = scanBody(body);
  if (ambiguous !== null) return { ok: false, error: ambiguous };
  const text = decodeUtf8(body);
  return text.ok ? REQUEST_PARSERS[endpoint](text.value) : text;
}

/** Long texts are cut, and the hash of a conversation is another one if its first texts are. */
function toComparable(request: Partial<ParsedRequest>, maxLength: number): string {
  return JSON.stringify({ ...request, conversationStart: null }, (_name, value: unknown) =>
    typeof value === 'string' && value.length > maxLength ? value.slice(0, 60) : value,
  );
}

/** @returns true if the body has an outline */
function compare({ endpoint, dialect }: (typeof ENDPOINTS)[number], body: Buffer): boolean {
  const copy = Buffer.from(body);
  const whole = parseWhole(endpoint, copy);
  const given = Buffer.from(body);
  const outlined: ParsedBody | null = parseOutline(endpoint, given, UNBOUNDED);
  if (outlined === null) {
    // Whatever it is, it is read as before.
    expect(parseBody(endpoint, Buffer.from(body)).ok).toBe(whole.ok);
    return false;
  }
  if (!whole.ok) throw new Error(`${whole.error.message}: ${body.toString('latin1')}`);
  expect(given.equals(copy)).toBe(true);
  const { members, conversation, ...request } = whole.value;
  const { members: _members, conversation: _conversation, ...relayed } = outlined.request as ParsedRequest;
  expect(toComparable(relayed, Infinity)).toBe(toComparable(request, Infinity));
  expect(outlined.classified.members).toEqual(members);
  expect(toComparable({ conversation: outlined.classified.conversation }, 150)).toBe(
    toComparable({ conversation }, 150),
  );
  expect(outlined.places).toEqual(readMemberPlaces(copy));
  expect(outlined.inputTokens).toBe(likelyInputTokens(whole.value, copy));
  const marks = findHistoryMarks(copy, dialect);
  expect(marks).toEqual(expect.arrayContaining([...(outlined.historyMarks ?? [])]));
  if (body.length < 1_400) expect(outlined.request.conversationStart).toBe(whole.value.conversationStart);
  return true;
}

describe.each(ENDPOINTS)('the outline of a body of $endpoint', (each) => {
  it('is read as the whole body is', () => {
    const next = createOutlineBodies(SEED, VALID_BODIES[each.dialect]);
    let outlined = 0;
    for (let drawn = 0; drawn < BODIES; drawn += 1) if (compare(each, next())) outlined += 1;
    expect(outlined).toBeGreaterThan(BODIES / 4);
  });

  it('is read as recorded requests are', () => {
    const { cases } = loadDialectRecordings([each.dialect]);
    const bodies = cases.flatMap(({ request }) => (request === null ? [] : [request.body]));
    const outlined = bodies.filter((body) => compare(each, body));
    const large = bodies.filter(({ length }) => length >= 1024);
    const valid = large.filter((body) => parseWhole(each.endpoint, Buffer.from(body)).ok);
    expect(outlined).toEqual(valid);
  });
});
