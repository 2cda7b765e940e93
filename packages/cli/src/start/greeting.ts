import path from 'node:path';
import { CHECKOUT, type CliEnv } from '../env.ts';

export interface GreetingFacts {
  publicApiUrl: string;
  publicConsoleUrl: string;
  seconds: string;
  /** Where whoever opens it becomes the operator; null where there is one. */
  operatorLink: string | null;
  /** The link to the mailbox and the test payments; null: this installation has neither. */
  localTools: { link: string; hasMailbox: boolean } | null;
  /** A model that answers; null where there is none. */
  model: string | null;
  /** Variables without which the command line would find another installation: `DATA_DIR=/srv/tollgate`. */
  cliVariables: string | null;
  /** True: the database is the one in DATA_DIR, which may hold what is invented. */
  isEmbedded: boolean;
}

/** What `npm start` prints once everything runs. */
export function composeGreeting(facts: GreetingFacts): string {
  const cli = `${facts.cliVariables === null ? '' : `${facts.cliVariables} `}npm run -s tollgate --`;
  return [
    `Tollgate is ready (${facts.seconds} s)`,
    '',
    `  Console  ${facts.publicConsoleUrl}`,
    `  API      ${facts.publicApiUrl}`,
    '',
    ...(facts.operatorLink === null
      ? []
      : [
          'Nobody runs this installation yet. Open this link to sign up as its operator (good for 24 hours):',
          '',
          `  ${facts.operatorLink}`,
          '',
        ]),
    ...(facts.localTools === null ? [] : toolsLink(facts.localTools)),
    ...(facts.model === null ? noModel(cli) : firstRequest(facts.publicApiUrl, facts.model, cli)),
    ...(facts.isEmbedded ? aMonth(cli) : []),
    'Ctrl-C stops all of it.',
  ].join('\n');
}

function toolsLink({ link, hasMailbox }: { link: string; hasMailbox: boolean }): string[] {
  return [
    hasMailbox
      ? 'No mail server is set (SMTP_URL): e-mails stay here. Open this link in the same browser to read them:'
      : 'Open this link to try payments without money:',
    '',
    `  ${link}`,
    '',
  ];
}

function firstRequest(apiUrl: string, model: string, cli: string): string[] {
  return [
    'A first request. Create a key in the console, or without a browser, in a second terminal:',
    '',
    `  ${cli} account create --email you@example.com --verified --operator`,
    `  ${cli} key create --account you@example.com --name first --json`,
    '',
    '  export SERVICE_API_KEY=sk-…   # the "key" it prints',
    `  curl ${apiUrl}/chat/completions \\`,
    '    -H "Authorization: Bearer $SERVICE_API_KEY" -H "Content-Type: application/json" \\',
    `    -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`,
    '',
  ];
}

function aMonth(cli: string): string[] {
  return [
    'To see every chart filled, add a month of invented usage to the operator’s account:',
    '',
    `  ${cli} demo seed`,
    '',
  ];
}

function noModel(cli: string): string[] {
  return [
    'No model answers yet. Add a provider, a model and a route between them:',
    '',
    `  ${cli} provider add --help`,
    '',
  ];
}

/** What a second terminal must set to meet the installation of this one; never a password. */
export function cliVariablesOf(env: CliEnv): string | null {
  if (env.DATABASE_URL !== undefined) return 'DATABASE_URL=… ENCRYPTION_KEY=…';
  return env.DATA_DIR === path.join(CHECKOUT, '.data') ? null : `DATA_DIR=${env.DATA_DIR}`;
}
