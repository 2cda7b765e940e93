import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@tollgate/db/client';
import { afterAll, expect, it } from 'vitest';
import { createTestConsole } from '../../testing/console-fixture.ts';
import { signUpVerified } from '../../testing/people.ts';
import { sendMismatchAlerts } from './send-mismatch-alerts.ts';

const site = await createTestConsole();
const operator = await signUpVerified(site);
const other = await signUpVerified(site);
const { sql } = site.deps.db;
await sql`UPDATE users SET is_operator = (email = ${operator.email})`;
await sql`INSERT INTO providers (id, name, dialect, base_url) VALUES ('prov_a', 'acme', 'openai-chat', 'https://a.example')`;
await sql`INSERT INTO models (id) VALUES ('small')`;
await sql`INSERT INTO routes (id, model_id, provider_id) VALUES ('route_a', 'small', 'prov_a')`;

afterAll(() => site[Symbol.asyncDispose]());

let serial = 0;
async function addMismatch(routeId: string, daysAgo = 0): Promise<void> {
  serial += 1;
  await sql`INSERT INTO requests (id, started_at, account_id, key_id, endpoint, model, streamed, state, status, latency_ms,
      route_id, price_mismatch)
    VALUES (${`req_${serial}`}, now() - make_interval(days => ${daysAgo}), ${operator.accountId}, 'key', '/v1/chat/completions',
      'small', false, 'settled', 200, 1, ${routeId}, 'model elsewhere')`;
}

const getEmails = async (email: string) =>
  (await site.mailsTo(email)).filter(({ subject }) => subject === 'Some responses could not be priced');
const runAll = () => Promise.all([1, 2, 3].map(() => sendMismatchAlerts(site.deps)));

it('notifies operators once for each route, and no one else', async () => {
  await runAll();
  expect(await getEmails(operator.email)).toHaveLength(0);
  await addMismatch('route_a');
  await addMismatch('route_a');
  await runAll();
  await addMismatch('route_a');
  await runAll();
  const mails = await getEmails(operator.email);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain('small at acme: 2 responses in the last hour, such as model elsewhere.');
  expect(await getEmails(other.email)).toHaveLength(0);
  await addMismatch('route_b');
  await runAll();
  expect(await getEmails(operator.email)).toHaveLength(2);
});

it('notifies them again once the route was quiet for a week', async () => {
  await sql`UPDATE price_mismatch_alerts SET notified_at = now() - interval '9 days', last_seen_at = now() - interval '8 days'`;
  const before = (await getEmails(operator.email)).length;
  await addMismatch('route_a');
  await runAll();
  expect((await getEmails(operator.email)).length).toBe(before + 1);
});

it('locks the rows of its routes in order, so that two consoles cannot deadlock', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `row_${String(index).padStart(2, '0')}`);
  for (const id of ids.toReversed()) await addMismatch(id);
  await sql`INSERT INTO price_mismatch_alerts (route_id, notified_at, last_seen_at)
    SELECT id, now() - interval '9 days', now() - interval '8 days' FROM unnest(${ids}::text[]) AS id`;
  const other = await sql.reserve();
  await other`BEGIN`;
  await other`SELECT 1 FROM price_mismatch_alerts WHERE route_id = 'row_00' FOR UPDATE`;
  const sending = sendMismatchAlerts(site.deps);
  const isWaiting = async () =>
    (
      await sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%price_mismatch_alerts%'`
    ).length;
  await expect.poll(isWaiting).toBe(1);
  // Waiting for the first row, it holds none of the further ones.
  const free =
    await other`SELECT 1 FROM price_mismatch_alerts WHERE route_id > 'row_00' AND route_id LIKE 'row_%' FOR UPDATE SKIP LOCKED`;
  expect(free).toHaveLength(ids.length - 1);
  await other`COMMIT`;
  other.release();
  await sending;
});

it('needs one connection: its transaction opens no second one', async () => {
  await addMismatch('route_of_one');
  const db = openDatabase(site.deps.db.url, { maxConnections: 1 });
  const sending = sendMismatchAlerts({ ...site.deps, db });
  const sent = await Promise.race([sending.then(() => true), sleep(10_000, false)]);
  await db.close();
  expect(sent).toBe(true);
});

it('shows operators the number of price mismatches of a route, and unknown members', async () => {
  const { client } = operator.visitor;
  const model = await client.operator.models.get.query({ modelId: 'small' });
  expect(model.routeList[0]?.mismatches).toMatchObject({ example: 'model elsewhere' });
  await sql`INSERT INTO unknown_members (provider, member, client, requests, first_seen_at, last_seen_at)
    VALUES ('acme', 'brand_new', 'claude-cli', 2, now(), now())`;
  const { members } = await client.operator.providers.unknownMembers.query({ providerId: 'prov_a' });
  expect(members).toMatchObject([{ member: 'brand_new', client: 'claude-cli', requests: 2 }]);
  await client.operator.providers.allowMembers.mutate({ providerId: 'prov_a', allow: ['brand_new'] });
  const { providers } = await client.operator.providers.list.query();
  expect(providers.find(({ id }) => id === 'prov_a')?.allowedMembers).toEqual(['brand_new']);
});
