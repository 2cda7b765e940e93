import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../../testing/console-fixture.ts';
import { startGitHubServer, type GitHubServer } from '../../testing/github-server.ts';
import { newEmail } from '../../testing/people.ts';
import { getRefusal, type Visitor } from '../../testing/visitor.ts';
import { createGitHubProvider } from './github.ts';

let github: GitHubServer;
let site: TestConsole;
beforeAll(async () => {
  github = await startGitHubServer();
  const { clientId, clientSecret, url } = github;
  site = await createTestConsole({}, null, [
    createGitHubProvider({ clientId, clientSecret, site: url, api: url }),
  ]);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await github[Symbol.asyncDispose]();
});

const whoIs = async (visitor: Visitor) => (await visitor.client.session.get.query()).user;

describe('signing in with GitHub', () => {
  const signInThere = async (visitor: Visitor) => {
    const { url } = await visitor.client.external.start.mutate({ provider: 'github' });
    const { search } = github.authorize(url);
    return visitor.client.external.finish.mutate({ provider: 'github', query: search });
  };

  it('uses the primary address that GitHub has verified', async () => {
    const email = newEmail();
    github.person = {
      id: randomInt(1e9),
      emails: [
        { email: newEmail(), primary: false, verified: true },
        { email: email.toUpperCase(), primary: true, verified: true },
      ],
    };
    const visitor = site.visit();
    expect(await signInThere(visitor)).toMatchObject({ next: 'console', redirect: null });
    expect((await whoIs(visitor))?.email).toBe(email);
    expect(await signInThere(site.visit())).toMatchObject({ next: 'console' });
  });

  it('rejects users without a verified primary address', async () => {
    github.person = { id: randomInt(1e9), emails: [{ email: newEmail(), primary: true, verified: false }] };
    expect(await getRefusal(signInThere(site.visit()))).toMatchObject({ reason: 'external_unverified' });
  });
});

it('offers only the providers that are configured', async () => {
  const visitor = site.visit();
  expect(await getRefusal(visitor.client.external.start.mutate({ provider: 'google' }))).toMatchObject({
    code: 'NOT_FOUND',
  });
  const { installation } = await visitor.client.session.get.query();
  expect(installation.signInProviders).toEqual([{ id: 'github', label: 'GitHub' }]);
});
