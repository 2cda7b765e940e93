import { hash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** Someone at GitHub. */
export interface GitHubPerson {
  id: number;
  emails: { email: string; primary: boolean; verified: boolean }[];
}

/** GitHub's documented sign-in on a local port, with GitHub's checks. */
export interface GitHubServer extends AsyncDisposable {
  url: string;
  clientId: string;
  clientSecret: string;
  person: GitHubPerson;
  /** Presses "Authorize". @returns the redirect target */
  authorize(url: string): URL;
}

/** https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps#web-application-flow */
export async function startGitHubServer(): Promise<GitHubServer> {
  const codes = new Map<string, { challenge: string; redirectUri: string }>();
  const tokens = new Set<string>();
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(body));
    const answer = async () => {
      if (request.method === 'POST' && request.url === '/login/oauth/access_token') {
        const form = new URLSearchParams(await text(request));
        const code = codes.get(form.get('code') ?? '');
        codes.delete(form.get('code') ?? '');
        const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url');
        const isRight =
          form.get('client_id') === self.clientId &&
          form.get('client_secret') === self.clientSecret &&
          code?.challenge === challenge &&
          code.redirectUri === form.get('redirect_uri');
        // GitHub reports errors with status 200 too.
        if (!isRight) return send(200, { error: 'bad_verification_code' });
        const token = `gho_${randomBytes(12).toString('hex')}`;
        tokens.add(token);
        return send(200, { access_token: token, scope: 'read:user,user:email', token_type: 'bearer' });
      }
      if (!tokens.has(request.headers.authorization?.replace(/^Bearer /i, '') ?? ''))
        return send(401, { message: 'Requires authentication' });
      if (request.headers['user-agent'] === undefined) return send(403, { message: 'Administrative rules' });
      if (request.url === '/user') return send(200, { id: self.person.id, login: 'octocat', email: null });
      if (request.url === '/user/emails') return send(200, self.person.emails);
      return send(404, { message: 'Not Found' });
    };
    answer().catch(() => send(500, {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('GitHub listens on no port');
  const self: GitHubServer = {
    url: `http://127.0.0.1:${address.port}`,
    clientId: 'Iv1.tollgate',
    clientSecret: randomBytes(20).toString('hex'),
    person: { id: 1, emails: [] },
    authorize(url) {
      const asked = new URL(url).searchParams;
      const code = randomBytes(10).toString('hex');
      const redirectUri = asked.get('redirect_uri') ?? '';
      codes.set(code, { challenge: asked.get('code_challenge') ?? '', redirectUri });
      const back = new URL(redirectUri);
      back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString();
      return back;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}
