import type { Ask, Question, Reply } from '@tollgate/core/runtime/replica-asks';
import type { Database } from '@tollgate/db/client';
import { sendReply } from '@tollgate/db/queries/catalogue/changes';
import type { Ledger } from '@tollgate/ledger/ledger';
import type { Limits } from '@tollgate/limits/create-limits';
import type { Logger } from 'pino';
import type { WorkersState } from '../workers/messages.ts';
import { describeReplica, getKeptBy, type ReplicaParts } from './describe-replica.ts';

/** Questions beyond this are ignored: other replicas answer, or the console asks again. */
const MAX_IN_FLIGHT = 16;

export interface AnswererOptions extends ReplicaParts {
  db: Database;
  log: Logger;
  limits: Limits;
  ledger: Ledger;
  workers: () => WorkersState | null;
}

/** Answers the console's questions about this replica from memory, in the background and without side effects. */
export function createAnswerer(options: AnswererOptions): (ask: Ask) => void {
  const { db, log, ledger } = options;
  let inFlight = 0;
  const reply = async ({ id, question }: Ask) => {
    inFlight += 1;
    try {
      const answer = await answerTo(options, question);
      await sendReply(db, { askId: id, replicaId: ledger.replicaId, answer });
    } catch (error) {
      log.debug({ err: error, about: question.about }, 'a question of the console could not be answered');
    } finally {
      inFlight -= 1;
    }
  };
  return (ask) => {
    if (inFlight < MAX_IN_FLIGHT) void reply(ask);
  };
}

async function answerTo(options: AnswererOptions, question: Question): Promise<Reply['answer']> {
  const { limits } = options;
  // With Redis, every replica reports the same anyway.
  const isCountedElsewhere = options.workers()?.isSpeaker === false && getKeptBy(limits) === 'memory';
  const share = isCountedElsewhere ? { isCountedElsewhere } : {};
  switch (question.about) {
    case 'windows': {
      const { key, account } = await limits.peek(question);
      return { about: 'windows', keptBy: getKeptBy(limits), ...share, key, account };
    }
    case 'replica':
      return { ...describeReplica(options), ...share };
  }
}
