import { CLIENTS } from '@tollgate/core/clients/clients';
import { KEY_VARIABLE, type Client, type ClientSetup } from '@tollgate/core/clients/client';
import type { Output } from '../command.ts';
import { formatFacts, formatTable } from '../output/table.ts';
import type { ConnectKey } from './connect-key.ts';
import type { FirstRequest } from './send-first-request.ts';

interface Connection {
  client: Client;
  baseUrl: string;
  model: string;
  setup: ClientSetup;
  key: ConnectKey | null;
  written: { file: string; backup: string | null; isChanged: boolean } | null;
  result: FirstRequest | null;
}

export function listClients(): Output {
  const clients = CLIENTS.map(({ id, title, endpoint, install, docs, testedVersion }) => ({
    id,
    title,
    endpoint,
    install,
    docs,
    testedVersion,
  }));
  const rows = clients.map(({ id, title, endpoint, testedVersion }) => [id, title, endpoint, testedVersion]);
  const columns = [{ title: 'Client' }, { title: 'Name' }, { title: 'Endpoint' }, { title: 'Tested' }];
  return { json: { clients }, text: formatTable(columns, rows) };
}

/** The configuration, what was written, and the result of the first request. */
export function describeConnection(connection: Connection): Output {
  const { client, baseUrl, model, setup, key, written, result } = connection;
  return {
    json: {
      client: client.id,
      baseUrl,
      model,
      ...(key?.isNew === true && { key: key.secret }),
      shell: setup.shell,
      file: setup.file,
      code: setup.code,
      run: setup.run,
      written,
      result,
    },
    text: [...describeSetup(connection), describeResult(connection)].join('\n\n'),
    ...(result?.ok === false && { exitCode: 1 }),
  };
}

function describeSetup({ client, setup, key, written }: Connection): string[] {
  const { shell, file, code } = setup;
  const isKnown = key?.isNew === true;
  const steps = [
    isKnown
      ? `1. Set the new key, which is shown only once:\n\n${indent(`export ${KEY_VARIABLE}=${key.secret}`)}`
      : `1. Set the key in the shell that starts ${client.title}:\n\n${indent(`export ${KEY_VARIABLE}=sk-…`)}`,
  ];
  const add = (text: string) => void steps.push(`${steps.length + 1}. ${text}`);
  if (written !== null) add(describeWritten(written));
  if (shell !== null && (written === null || setup.needsBoth))
    add(`${client.kind === 'shell' ? 'Send a request' : 'Set in the same shell'}:\n\n${indent(shell)}`);
  if (file !== null && written === null)
    add(
      `${shell === null || setup.needsBoth ? 'Add to' : 'Or, instead of 2, add to'} ${file.path}:\n\n${indent(file.text)}`,
    );
  if (code !== null) add(`Send a request from a program${needs(client)}:\n\n${indent(code.text)}`);
  if (client.kind === 'agent') add(`Start it:\n\n${indent(setup.run)}`);
  return steps;
}

function needs({ install }: Client): string {
  return install === null ? '' : ` (${install})`;
}

function describeWritten({ file, backup, isChanged }: NonNullable<Connection['written']>): string {
  if (!isChanged) return `${file} already has this configuration.`;
  return backup === null ? `Wrote ${file}.` : `Changed ${file}. The old file is ${backup}.`;
}

function describeResult({ key, result, model, client }: Connection): string {
  if (result === null)
    return key === null
      ? `No request was sent, because no key was named. Set ${KEY_VARIABLE}, or add --create-key --account <email>.`
      : 'No request was sent.';
  if (!result.ok)
    return [
      `The first request failed${result.status === null ? '' : ` with ${result.status}`}: ${result.message}`,
      result.fix,
    ].join('\n');
  return `The first request works:\n\n${indent(
    formatFacts([
      ['Endpoint', client.endpoint],
      ['Model', model],
      ['Status', String(result.status)],
      ['Time', `${result.latencyMs} ms`],
      ['Cost', result.costUsd === null ? 'unknown' : `$${result.costUsd}`],
    ]),
  )}`;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `   ${line}`))
    .join('\n');
}
