import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createQueueLog } from './queue-log.ts';

function openLog() {
  const lines: { msg: string; error?: { message: string; code?: string } }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { lines, queueLog: createQueueLog(log) };
}

/** As pg-boss reports errors of its workers. */
const toPlain = (message: string, code: string) => ({
  message,
  code,
  stack: 'at worker',
  queue: 'deliver-mail',
});

it('logs one line when the database is lost, with the reason, and one when it is back', () => {
  const { lines, queueLog } = openLog();
  queueLog.failed(toPlain('read ECONNRESET', 'CONNECTION_CLOSED'));
  queueLog.failed(toPlain('the database system is starting up', '57P03'));
  queueLog.failed(Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' }));
  queueLog.succeeded();
  queueLog.succeeded();
  queueLog.failed(toPlain('write CONNECTION_ENDED', 'CONNECTION_ENDED'));
  expect(lines.map(({ msg, error }) => [msg, error?.message])).toEqual([
    ['the job queue cannot reach the database', 'read ECONNRESET'],
    ['the job queue reaches the database again', undefined],
    ['the job queue cannot reach the database', 'write CONNECTION_ENDED'],
  ]);
});

it('logs every other error', () => {
  const { lines, queueLog } = openLog();
  queueLog.failed(toPlain('deadlock detected', '40P01'));
  queueLog.failed(toPlain('deadlock detected', '40P01'));
  expect(lines.map(({ msg, error }) => [msg, error?.code])).toEqual([
    ['error of the job queue', '40P01'],
    ['error of the job queue', '40P01'],
  ]);
});
