import { OPEN_SCOPE } from '@tollgate/testing/factories';
import { expect, it } from 'vitest';
import { createOperatorLink } from './operator/operator-link.ts';
import { createTestConsole } from './testing/console-fixture.ts';
import { newEmail, PASSWORD } from './testing/people.ts';
import { getRefusal } from './testing/visitor.ts';

const NEW_PASSWORD = 'seven kettles on a hill';
const WRONG_PASSWORD = 'nine ladders by the sea';

it('a whole life of an account leaves no secret in the database and none in the log', async () => {
  await using site = await createTestConsole();
  const secrets = new Map<string, string>([
    ['password', PASSWORD],
    ['new password', NEW_PASSWORD],
    ['wrong password', WRONG_PASSWORD],
  ]);
  const email = newEmail();
  const nextEmail = newEmail();
  const visitor = site.visit();
  const keepCookies = (when: string) => {
    for (const [name, value] of visitor.cookies) secrets.set(`${name} ${when}`, value);
  };
  const keepMail = async (name: string, to: string) => {
    const mail = await site.newestMailTo(to);
    if (mail.code !== '') secrets.set(`${name} code`, mail.code);
    secrets.set(`${name} token`, mail.token);
    return mail;
  };

  const link = await createOperatorLink(site.deps.db, {
    clock: site.deps.clock,
    publicConsoleUrl: 'http://x',
  });
  const operatorToken = new URL(link ?? '').searchParams.get('operator') ?? '';
  secrets.set('operator token', operatorToken);
  await visitor.client.auth.signUp.mutate({ email, password: PASSWORD, operatorToken });
  keepCookies('after sign-up');
  await getRefusal(visitor.client.auth.signIn.mutate({ email, password: WRONG_PASSWORD }));
  const verification = await keepMail('verification', email);
  await getRefusal(visitor.client.auth.verifyEmail.mutate({ token: `${verification.token}x` }));
  await visitor.client.auth.verifyEmail.mutate({ email, code: verification.code });
  keepCookies('after verification');
  const { accounts } = await visitor.client.session.get.query();
  const accountId = accounts[0]?.id ?? '';
  secrets.set('API key', (await visitor.client.keys.create.mutate({ accountId, scope: OPEN_SCOPE })).secret);
  await visitor.client.settings.requestEmailChange.mutate({ email: nextEmail, password: PASSWORD });
  const change = await keepMail('email change', nextEmail);
  await visitor.client.settings.confirmEmailChange.mutate({ token: change.token });
  await site.visit().client.auth.requestPasswordReset.mutate({ email: nextEmail });
  const reset = await keepMail('reset', nextEmail);
  await visitor.get(`/reset?token=${reset.token}`);
  await visitor.client.auth.resetPassword.mutate({ token: reset.token, password: NEW_PASSWORD });
  keepCookies('after reset');
  expect(secrets.size).toBeGreaterThanOrEqual(13);

  const database = await dump(site.deps.db.sql);
  expect(database).toContain(nextEmail);
  const logged = site.logLines.join('\n');
  expect(logged).toContain('auth.signUp');
  const leaked = [...secrets].filter(([, secret]) => isIn(database, secret) || isIn(logged, secret));
  expect(leaked.map(([name]) => name)).toEqual([]);
});

function isIn(text: string, secret: string): boolean {
  if (secret.length < 6) throw new Error('Too short to be looked for');
  // Six digits can occur in a time or a random id: a code counts only as a separate word.
  if (/^\d{6}$/.test(secret)) return new RegExp(String.raw`(?<![0-9a-z.])${secret}(?![0-9a-z+])`).test(text);
  return text.includes(secret) || text.includes(Buffer.from(secret).toString('hex'));
}

/** All tables, as text. */
async function dump(
  sql: Awaited<ReturnType<typeof createTestConsole>>['deps']['db']['sql'],
): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    SELECT quote_ident(relname) AS name FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`;
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await sql.unsafe<{ text: string }[]>(`SELECT t::text AS text FROM ${name} t`);
      return rows.map((row) => `${name} ${row.text}`).join('\n');
    }),
  );
  return texts.join('\n');
}
