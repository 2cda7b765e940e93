import { randomUUID } from 'node:crypto';
import type { Question, ReplicaAnswer, Reply, WindowsAnswer } from '@tollgate/core/runtime/replica-asks';
import type { Database } from '@tollgate/db/client';
import { sendAsk } from '@tollgate/db/queries/catalogue/changes';
import { listReplicas, type ReplicaRow } from '@tollgate/db/queries/operator/system';
import { createSharedWork } from './shared-work.ts';

/** As the others count it: after four beats that did not come (`packages/ledger/src/heartbeat-monitor.ts`). */
const DEAD_AFTER_MS = 20_000;
/** A page with limits on it does not wait for longer. */
const WINDOWS_WITHIN_MS = 300;
/** For operator pages: waits longer before a busy replica counts as not responding. */
const REPLICAS_WITHIN_MS = 1_000;

/** An API replica with its report. */
export interface AskedReplica<Answer> extends ReplicaRow {
  /** `answers`: it responded; `unresponsive`: it only sends heartbeats; `stale`: it sends none. */
  state: 'answers' | 'unresponsive' | 'stale';
  answer: Answer | null;
}

/** State that only the replicas know, from the replicas themselves. */
export interface ReplicaAsker {
  /** Called with every reply that this process receives. */
  hear(reply: Reply): void;
  /** Where the windows of a key and its account stand. Where Redis keeps them, the first answer is all there is to know. */
  windows(owners: Omit<WindowsQuestion, 'about'>): Promise<AskedReplica<WindowsAnswer>[]>;
  /** How each process is. */
  replicas(): Promise<AskedReplica<ReplicaAnswer>[]>;
}

type WindowsQuestion = Extract<Question, { about: 'windows' }>;

interface Wanted<Answer> {
  question: Question;
  withinMs: number;
  /** null: the answer is none to this question. */
  read: (answer: Reply['answer']) => Answer | null;
  /** True: no one else need be waited for. */
  isEnough?: (answer: Answer) => boolean;
}

/**
 * Queries every replica by PostgreSQL's NOTIFY and waits a moment for the live ones. Concurrent identical questions
 * are sent once.
 * @param listen resolves when it listens for replies
 */
export function createReplicaAsker(db: Database, listen: () => Promise<void>): ReplicaAsker {
  const waiting = new Map<string, (reply: Reply) => void>();
  const windows = createSharedWork<AskedReplica<WindowsAnswer>[]>();
  const replicas = createSharedWork<AskedReplica<ReplicaAnswer>[]>();

  async function ask<Answer>(wanted: Wanted<Answer>): Promise<AskedReplica<Answer>[]> {
    await listen();
    const id = randomUUID();
    const answers = new Map<string, Answer>();
    const changed = new EventTarget();
    let isOver = false;
    waiting.set(id, ({ replicaId, answer }) => {
      const read = wanted.read(answer);
      if (read === null) return;
      answers.set(replicaId, read);
      isOver ||= wanted.isEnough?.(read) ?? false;
      changed.dispatchEvent(new Event('answer'));
    });
    try {
      const [rows] = await Promise.all([listReplicas(db), sendAsk(db, { id, question: wanted.question })]);
      const alive = rows.filter(({ silentMs }) => silentMs < DEAD_AFTER_MS);
      const isDone = () => isOver || alive.every((row) => answers.has(row.id));
      await untilDone(changed, isDone, wanted.withinMs);
      return rows.map((row) => toAsked(row, answers.get(row.id) ?? null));
    } finally {
      waiting.delete(id);
    }
  }

  return {
    hear: (reply) => waiting.get(reply.askId)?.(reply),
    windows: (owners) =>
      windows(owners.keyId, () =>
        ask({
          question: { about: 'windows', ...owners },
          withinMs: WINDOWS_WITHIN_MS,
          read: (answer) => (answer.about === 'windows' ? answer : null),
          isEnough: ({ keptBy }) => keptBy === 'redis',
        }),
      ),
    replicas: () =>
      replicas('all', () =>
        ask({
          question: { about: 'replica' },
          withinMs: REPLICAS_WITHIN_MS,
          read: (answer) => (answer.about === 'replica' ? answer : null),
        }),
      ),
  };
}

function toAsked<Answer>(row: ReplicaRow, answer: Answer | null): AskedReplica<Answer> {
  if (answer !== null) return { ...row, state: 'answers', answer };
  return { ...row, state: row.silentMs < DEAD_AFTER_MS ? 'unresponsive' : 'stale', answer: null };
}

function untilDone(changed: EventTarget, isDone: () => boolean, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      changed.removeEventListener('answer', look);
      resolve();
    };
    const look = () => {
      if (isDone()) end();
    };
    const timer = setTimeout(end, withinMs);
    changed.addEventListener('answer', look);
    look();
  });
}
