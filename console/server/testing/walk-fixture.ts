import { createHash, randomUUID } from 'node:crypto';
import { createId } from '@tollgate/core/runtime/ids';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { appRouter } from '../router.ts';
import type { TestConsole } from './console-fixture.ts';
import { plant, type Planted } from './planted-people.ts';
import type { Things } from './procedures.ts';

const STREAM_LOOK_MS = 250;
/** What a subscription refuses comes as an event of its stream. */
const REFUSED_STREAM = /event: serialized-error\ndata: (.+)\n/;

/** Path and kind of every procedure, read from the router itself. */
export function listProcedures(): [path: string, type: string][] {
  // Flat at run time: `keys.create` and so on.
  const flat: Record<string, unknown> = { ...appRouter._def.procedures };
  return Object.entries(flat).map(([path, procedure]) => [path, getType(procedure)]);
}

function getType(procedure: unknown): string {
  if (typeof procedure !== 'function' || !('_def' in procedure)) throw new Error('This is no procedure');
  const definition = procedure._def;
  const isTyped = typeof definition === 'object' && definition !== null && 'type' in definition;
  return isTyped ? String(definition.type) : 'unknown';
}

/** An account with one of everything that an input can name. */
export async function furnish(site: TestConsole): Promise<{ owner: Planted; things: Things }> {
  const { db } = site.deps;
  const owner = await plant(site);
  const { accountId } = owner;
  const { userId } = await plant(site, { joins: { accountId, role: 'member' } });
  const { key } = await createKeyFixture(db, accountId);
  const request = requestRecord({ accountId, keyId: key.id });
  await commitBatch(db, { settlements: [request] });
  const invitationId = createId('inv');
  const tokenHash = createHash('sha256').update(randomUUID()).digest('hex');
  await db.sql`
    INSERT INTO invitations (id, account_id, email, role, token_hash, expires_at)
    VALUES (${invitationId}, ${accountId}, ${`${invitationId}@example.com`}, 'viewer',
            decode(${tokenHash}, 'hex'), now() + interval '1 day')`;
  return { owner, things: { keyId: key.id, requestId: request.id, userId, invitationId } };
}

/** Ids as they would be, of things that are not there. */
export function noThings(): Things {
  return {
    keyId: createId('key'),
    requestId: createId('req'),
    userId: createId('user'),
    invitationId: createId('inv'),
  };
}

/** What the server refused with; null: it did not. */
export interface WalkRefusal {
  code: string;
  reason: string | null;
  zodIssues: unknown;
}

export interface WalkAnswer {
  refusal: WalkRefusal | null;
  text: string;
}

/** Calls a procedure as a browser would. @param person null: no one is signed in */
export async function call(
  site: TestConsole,
  person: Planted | null,
  procedure: { path: string; type: string; input: unknown },
): Promise<WalkAnswer> {
  const { path, type, input } = procedure;
  const origin = site.deps.settings.publicConsoleUrl;
  const headers: Record<string, string> = { 'content-type': 'application/json', origin };
  if (person !== null)
    headers['cookie'] = [...person.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const url = `${origin}/trpc/${path}`;
  const leaving = new AbortController();
  const request =
    type === 'mutation'
      ? new Request(url, { method: 'POST', body: JSON.stringify(input), headers })
      : new Request(`${url}?input=${encodeURIComponent(JSON.stringify(input))}`, {
          headers,
          signal: leaving.signal,
        });
  const response = await site.fetch(request, '10.0.0.1');
  const text = type === 'subscription' ? await readBeginning(response) : await response.text();
  leaving.abort();
  return { refusal: refusalIn(text), text };
}

/** An accepted stream never ends: its beginning shows whether it was accepted. */
async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  const timer = setTimeout(() => void reader.cancel(), STREAM_LOOK_MS);
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    text += decoder.decode(chunk.value, { stream: true });
    if (REFUSED_STREAM.test(text)) break;
  }
  clearTimeout(timer);
  await reader.cancel();
  return text;
}

function refusalIn(text: string): WalkRefusal | null {
  const event = REFUSED_STREAM.exec(text)?.[1];
  if (event !== undefined) return getData({ error: JSON.parse(event) as unknown });
  return text.startsWith('{') ? getData(JSON.parse(text)) : null;
}

function getData(answer: unknown): WalkRefusal | null {
  if (!hasObject(answer, 'error') || !hasObject(answer.error, 'data')) return null;
  const { data } = answer.error;
  const code = 'code' in data ? String(data.code) : 'UNKNOWN';
  const reason = 'reason' in data && typeof data.reason === 'string' ? data.reason : null;
  return { code, reason, zodIssues: 'zodIssues' in data ? data.zodIssues : null };
}

function hasObject<Name extends string>(value: unknown, name: Name): value is Record<Name, object> {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  const member: unknown = Reflect.get(value, name);
  return typeof member === 'object' && member !== null;
}
