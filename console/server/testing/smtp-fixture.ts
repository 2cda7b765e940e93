import { SMTPServer } from 'smtp-server';

export interface TestSmtpServer extends AsyncDisposable {
  url: string;
  received: { from: string; to: string[]; raw: string }[];
  /** Replies to the next deliveries; later emails are accepted. */
  refusals: { status: number; message: string }[];
}

/** A real SMTP server on a free port. */
export async function startSmtpServer(): Promise<TestSmtpServer> {
  const received: TestSmtpServer['received'] = [];
  const refusals: TestSmtpServer['refusals'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      let raw = '';
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => {
        raw += chunk;
      });
      stream.on('end', () => {
        const refusal = refusals.shift();
        if (refusal !== undefined) {
          done(Object.assign(new Error(refusal.message), { responseCode: refusal.status }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        received.push({ from, to: rcptTo.map((recipient) => recipient.address), raw });
        done();
      });
    },
  });
  // A client that hangs up is no error of the server.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('The SMTP server has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    refusals,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  };
}
