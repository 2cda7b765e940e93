import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

const pageSchema = z.object({
  entries: z.array(z.looseObject({ id: z.string(), action: z.string() })),
  before: z.string().nullable(),
});

describe('tollgate audit list', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
    const { user } = await createAccountFixture(database.db, { email: 'boss@example.com' });
    await database.db.sql`UPDATE users SET is_operator = true WHERE id = ${user.id}`;
    await tollgate.json('plan add --name team --rpm 60');
    await tollgate.json('plan update --name team --rpm 90');
    await recordAudit(database.db, {
      actorUserId: user.id,
      action: 'tax_rate.add',
      subject: 'tax_1',
      detail: { name: 'VAT', ratePpm: 190_000 },
    });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const list = async (line = '') => pageSchema.parse(await tollgate.json(`audit list ${line}`.trim()));
  const getActions = async (line: string) => (await list(line)).entries.map(({ action }) => action);

  it('lists actions with the values before and after, newest first', async () => {
    const { entries } = await list();
    expect(entries.slice(0, 3)).toMatchObject([
      { action: 'tax_rate.add', actorEmail: 'boss@example.com', subject: 'tax_1', before: null },
      { action: 'plan.change', actorEmail: null, subject: 'team', before: { rpm: 60 }, detail: { rpm: 90 } },
      { action: 'plan.add', subject: 'team' },
    ]);
  });

  it('filters by actor, action, subject and time', async () => {
    expect(await getActions('--actor boss@example.com')).toEqual(['tax_rate.add']);
    expect(await getActions('--actor cli --action plan')).toEqual(['plan.change', 'plan.add']);
    expect(await getActions('--action plan.add')).toEqual(['plan.add']);
    expect(await getActions('--subject VAT')).toEqual(['tax_rate.add']);
    expect(await getActions('--until 2026-01-01')).toEqual([]);
    expect(await getActions('--since 2026-01-01 --action tax_rate')).toEqual(['tax_rate.add']);
  });

  it('lists older entries by the ID of the last one', async () => {
    const first = await list('--limit 1');
    const second = await list(`--limit 1 --before ${first.before}`);
    expect([...first.entries, ...second.entries].map(({ action }) => action)).toEqual([
      'tax_rate.add',
      'plan.change',
    ]);
  });

  it('prints phrases and changes', async () => {
    const { stdout } = await tollgate('audit list');
    expect(stdout).toMatch(/boss@example\.com +Added a tax rate +VAT +name: VAT; rate: 19%/);
    expect(stdout).toMatch(/cli +Changed a plan +team +rpm: 60 → 90/);
    expect((await tollgate('audit list --subject none')).stdout).toBe('No matching actions\n');
  });

  it('refuses unknown people and invalid filters', async () => {
    expect((await tollgate('audit list --actor none@example.com')).stderr).toContain('There is no user');
    expect((await tollgate('audit list --action Plan')).code).toBe(2);
  });
});
