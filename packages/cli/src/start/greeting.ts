import path from 'node:path';
import { CHECKOUT, type CliEnv } from '../env.ts';

export interface GreetingFacts {
  publicApiUrl: string;
  publicConsoleUrl: string;
  seconds: string;
  /** Link that makes its first visitor the operator; null if there is one already. */
  operatorLink: string | null;
  /** Link to the mailbox and test payments; null if this installation has neither. */
  localTools: { link: string; hasMailbox: boolean } | null;
  /** A model with a working route; null if there is none. */
  model: string | null;
  /** Variables that the command line needs to find this installation: `DATA_DIR=/srv/tollgate`. */
  cliVariables: string | null;
  /** True: the embedded database, to which demo data can be added. */
  isEmbedded: boolean;
}

/** Composes the text that `npm start` prints once everything runs. */
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
          'This installation has no operator yet. Sign up as operator with this link (valid for 24 hours):',
          '',
          `  ${facts.operatorLink}`,
          '',
        ]),
    ...(facts.localTools === null ? [] : toolsLink(facts.localTools)),
    ...(facts.model === null ? noModel(cli) : firstRequest(facts, facts.model, cli)),
    ...(facts.isEmbedded ? demoData(cli) : []),
    'Press Ctrl-C to stop.',
  ].join('\n');
}

function toolsLink({ link, hasMailbox }: { link: string; hasMailbox: boolean }): string[] {
  return [
    hasMailbox
      ? 'No mail server is set (SMTP_URL). Read emails with this link, in the same browser:'
      : 'Make test payments with this link:',
    '',
    `  ${link}`,
    '',
  ];
}

function firstRequest({ publicApiUrl, operatorLink }: GreetingFacts, model: string, cli: string): string[] {
  const hasOperator = operatorLink === null;
  return [
    'To send a first request, create a key in the console or in a second terminal:',
    '',
    ...(hasOperator ? [] : [`  ${cli} account create --email you@example.com --verified --operator`]),
    `  ${cli} key create --account you@example.com --name first --json`,
    '',
    '  export SERVICE_API_KEY=sk-…   # the "key" from the output',
    `  curl ${publicApiUrl}/chat/completions \\`,
    '    -H "Authorization: Bearer $SERVICE_API_KEY" -H "Content-Type: application/json" \\',
    `    -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`,
    '',
  ];
}

function demoData(cli: string): string[] {
  return [
    'To fill the charts, add a month of synthetic usage to the operator’s account:',
    '',
    `  ${cli} demo seed`,
    '',
  ];
}

function noModel(cli: string): string[] {
  return [
    'No models are available yet. Add a provider, a model and a route:',
    '',
    `  ${cli} provider add --help`,
    '',
  ];
}

/** Variables that a second terminal needs to find this installation; never a password. */
export function getCliVariables(env: CliEnv): string | null {
  if (env.DATABASE_URL !== undefined) return 'DATABASE_URL=… ENCRYPTION_KEY=…';
  return env.DATA_DIR === path.join(CHECKOUT, '.data') ? null : `DATA_DIR=${env.DATA_DIR}`;
}
