import { createSealer, type Sealer } from '@tollgate/auth/seal';
import { sealBody } from '@tollgate/auth/seal-body';
import { openBodyStore, type BodyStore } from '@tollgate/db/body-store';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteExpired } from '../housekeeping.ts';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { PASSWORD, signUpVerified, type SignedIn } from '../testing/people.ts';
import { plant } from '../testing/planted-people.ts';
import { getRefusal } from '../testing/visitor.ts';

const DAY_MS = 86_400_000;
const QUESTION = '{"messages":"May a heron walk at noon? ✓"}';

describe('bodies', () => {
  let site: TestConsole;
  let store: BodyStore;
  beforeAll(async () => {
    site = await createTestConsole();
    store = openBodyStore(site.deps.db.url);
  });
  afterAll(async () => {
    await store.close();
    await site[Symbol.asyncDispose]();
  });

  /** A re-authenticated owner of an account with request logging. */
  async function createKeeper(retentionDays = 7): Promise<SignedIn> {
    const owner = await signUpVerified(site);
    await owner.visitor.client.sessions.confirm.mutate({ password: PASSWORD });
    await owner.visitor.client.bodies.keep.mutate({ accountId: owner.accountId, retentionDays });
    return owner;
  }

  async function addRequest(accountId: string): Promise<string> {
    const { key } = await createKeyFixture(site.deps.db, accountId);
    const record = requestRecord({ accountId, keyId: key.id }, { startedAtMs: site.deps.clock.nowMs() });
    await commitBatch(site.deps.db, { settlements: [record] });
    return record.id;
  }

  /** A request with its bodies, as the api stores them. */
  async function addBodies(accountId: string, sealer: Sealer = site.deps.sealer): Promise<string> {
    const requestId = await addRequest(accountId);
    const seal = async (text: string, side: 'request' | 'answer') => ({
      sealed: await sealBody(sealer, Buffer.from(text), { accountId, requestId, side }),
      bytes: Buffer.byteLength(text),
      isTruncated: false,
    });
    await store.insert([
      {
        accountId,
        requestId,
        startedAtMs: site.deps.clock.nowMs(),
        request: await seal(QUESTION, 'request'),
        answer: { ...(await seal('data: {}\n\n', 'answer')), bytes: 900_000, isTruncated: true },
      },
    ]);
    return requestId;
  }

  const read = ({ visitor, accountId }: SignedIn, requestId: string) =>
    visitor.client.bodies.get.query({ accountId, requestId });
  const getCount = async (accountId: string) => {
    const [row] = await site.deps.db.sql<{ rows: bigint }[]>`
      SELECT count(*) AS rows FROM request_bodies WHERE account_id = ${accountId}`;
    return Number(row?.rows);
  };

  it('are not logged until a re-authenticated admin turns request logging on', async () => {
    const owner = await signUpVerified(site);
    const { visitor, accountId } = owner;
    expect(await visitor.client.bodies.setting.query({ accountId })).toBeNull();
    const asked = { accountId, retentionDays: 3 };
    expect((await getRefusal(visitor.client.bodies.keep.mutate(asked))).reason).toBe('confirm_identity');
    const requestId = await addBodies(accountId);
    expect(await read(owner, requestId)).toEqual({ kept: null });
    await visitor.client.sessions.confirm.mutate({ password: PASSWORD });
    await visitor.client.bodies.keep.mutate(asked);
    expect(await visitor.client.bodies.setting.query({ accountId })).toMatchObject({ retentionDays: 3 });
    for (const retentionDays of [0, 31, 1.5])
      expect(
        (await getRefusal(visitor.client.bodies.keep.mutate({ accountId, retentionDays }))).zodIssues,
      ).toMatchObject([{ message: 'Enter 1 to 30 days' }]);
  });

  it('are read by members of their account, by no viewer, and by no one of another', async () => {
    const owner = await createKeeper();
    const { accountId } = owner;
    const requestId = await addBodies(accountId);
    const expected = {
      request: { text: QUESTION, bytes: Buffer.byteLength(QUESTION), isTruncated: false },
      answer: { text: 'data: {}\n\n', bytes: 900_000, isTruncated: true },
    };
    const member = await plant(site, { joins: { accountId, role: 'member' } });
    for (const reader of [owner, member]) expect((await read(reader, requestId)).kept).toEqual(expected);
    const viewer = await plant(site, { joins: { accountId, role: 'viewer' } });
    expect(await getRefusal(read(viewer, requestId))).toMatchObject({ code: 'FORBIDDEN', reason: 'role' });
    const stranger = await createKeeper();
    expect((await getRefusal(read(stranger, requestId))).code).toBe('NOT_FOUND');
    expect((await getRefusal(read({ ...stranger, accountId }, requestId))).code).toBe('NOT_FOUND');
  });

  it('are read by no one without an entry in the audit log', async () => {
    const owner = await createKeeper();
    const { visitor, accountId, email } = owner;
    const requestId = await addBodies(accountId);
    const list = async () => {
      const asked = { accountId, action: 'request.read_bodies' };
      return (await visitor.client.audit.list.query(asked)).entries;
    };
    await read(owner, await addRequest(accountId));
    expect(await list()).toEqual([]);
    await read(owner, requestId);
    expect(await list()).toMatchObject([
      { actor: { kind: 'person', email }, action: 'request.read_bodies', subject: requestId },
    ]);
  });

  it('cannot be read by an operator who views the account, even as its admin', async () => {
    const { accountId } = await createKeeper();
    const requestId = await addBodies(accountId);
    const operator = await plant(site, { isOperator: true, joins: { accountId, role: 'admin' } });
    expect((await read(operator, requestId)).kept).not.toBeNull();
    await operator.visitor.client.operator.viewing.begin.mutate({ accountId, reason: 'a ticket' });
    const refusal = await getRefusal(read(operator, requestId));
    expect(refusal).toMatchObject({ code: 'FORBIDDEN', reason: 'viewing' });
    expect(refusal.message).toContain('Only members of the account');
  });

  it('distinguish a request without logged payload from a missing request', async () => {
    const owner = await createKeeper();
    expect(await read(owner, await addRequest(owner.accountId))).toEqual({ kept: null });
    expect((await getRefusal(read(owner, 'req_none'))).code).toBe('NOT_FOUND');
  });

  it('report that they were encrypted with another key', async () => {
    const owner = await createKeeper();
    const requestId = await addBodies(owner.accountId, createSealer(Buffer.alloc(32).toString('base64')));
    expect((await getRefusal(read(owner, requestId))).message).toContain('ENCRYPTION_KEY');
    expect(site.logLines.join('')).toContain('a stored body cannot be opened');
    expect(site.logLines.join('')).not.toContain('heron');
  });

  it('are deleted immediately when logging is turned off or the retention is shortened', async () => {
    const owner = await createKeeper(30);
    const { visitor, accountId } = owner;
    await addBodies(accountId);
    site.advance(5 * DAY_MS);
    const late = await addBodies(accountId);
    await visitor.client.sessions.confirm.mutate({ password: PASSWORD });
    await visitor.client.bodies.keep.mutate({ accountId, retentionDays: 2 });
    expect(await getCount(accountId)).toBe(1);
    await visitor.client.bodies.stop.mutate({ accountId });
    expect(await getCount(accountId)).toBe(0);
    expect(await read(owner, late)).toEqual({ kept: null });
  });

  it('are deleted by housekeeping when their time is over', async () => {
    const { accountId } = await createKeeper(2);
    await addBodies(accountId);
    await deleteExpired(site.deps);
    expect(await getCount(accountId)).toBe(1);
    site.advance(2 * DAY_MS + 1);
    await deleteExpired(site.deps);
    expect(await getCount(accountId)).toBe(0);
  });

  it('go with the login of the owner', async () => {
    const { visitor, accountId, email } = await createKeeper();
    await addBodies(accountId);
    const { balanceNanoUsd } = await visitor.client.settings.deletion.query();
    const giveUpUsd = (Number(balanceNanoUsd) / 1e9).toFixed(2);
    await visitor.client.settings.deleteLogin.mutate({ email, giveUpUsd });
    expect(await getCount(accountId)).toBe(0);
  });
});
