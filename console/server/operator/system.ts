import { countJobs, listJobs, retryJob, type JobState } from '@tollgate/db/queries/operator/jobs';
import { setSignUpSettings } from '@tollgate/db/queries/operator/installation-settings';
import { startLedgerCheck } from '@tollgate/db/queries/operator/ledger-checks';
import { readSetupSteps, type SetupSteps } from '@tollgate/db/queries/operator/setup-steps';
import {
  listLargestRelations,
  readDatabaseFacts,
  readQueues,
  type DatabaseFacts,
  type Queues,
  type Relation,
} from '@tollgate/db/queries/operator/system';
import { readSignUpPolicy, type SignUpPolicy } from '@tollgate/db/queries/users/sign-up-policy';
import { signUpPolicySchema } from '@tollgate/core/people/sign-up-policy';
import { z } from 'zod';
import { deny } from '../denial.ts';
import { operatorProcedure, router } from '../trpc.ts';
import { readLedgerCheck, type LedgerCheckView } from './ledger-check.ts';

/** An unfinished or failed job. */
export interface JobView {
  id: string;
  kind: string;
  state: JobState;
  attempts: number;
  lastError: string | null;
  createdAt: string;
  /** null: it runs, or is not retried automatically. */
  dueAt: string | null;
}

export interface JobKindView extends Record<JobState, number> {
  kind: string;
  /** null: none is stored any more. */
  lastCompletedAt: string | null;
}

export interface SystemView {
  /** Of the console's process. */
  nodeVersion: string;
  database: DatabaseFacts;
  relations: Relation[];
  queues: Queues;
  ledgerCheck: LedgerCheckView | null;
  jobs: {
    kinds: JobKindView[];
    unfinished: JobView[];
    /** True: no mail server is configured. Emails wait in the mailbox, and `unfinished` has no jobs that deliver them. */
    keepsEmails: boolean;
  };
}

export const operatorSystemRouter = router({
  get: operatorProcedure.query(async ({ ctx }): Promise<SystemView> => {
    const { db, settings } = ctx.deps;
    const keepsEmails = settings.hasMailbox;
    const [database, relations, queues, ledgerCheck, kinds, unfinished] = await Promise.all([
      readDatabaseFacts(db),
      listLargestRelations(db),
      readQueues(db),
      readLedgerCheck(ctx.deps),
      countJobs(db),
      listJobs(db, keepsEmails ? 'deliver-mail' : null),
    ]);
    return {
      nodeVersion: process.version,
      database,
      relations,
      queues,
      ledgerCheck,
      jobs: {
        keepsEmails,
        kinds: kinds.map((kind) => ({
          ...kind,
          lastCompletedAt: kind.lastCompletedAt?.toISOString() ?? null,
        })),
        unfinished: unfinished.map((job) => ({
          ...job,
          createdAt: job.createdAt.toISOString(),
          dueAt: job.dueAt?.toISOString() ?? null,
        })),
      },
    };
  }),

  setupSteps: operatorProcedure.query(async ({ ctx }): Promise<SetupSteps> => readSetupSteps(ctx.deps.db)),

  /** Makes a job due now that waits, is retried later or has failed. */
  retryJob: operatorProcedure
    .input(z.object({ jobId: z.uuid() }))
    .mutation(async ({ ctx, input }): Promise<void> => {
      const { db } = ctx.deps;
      if (!(await retryJob(db, { id: input.jobId, actorUserId: ctx.session.user.id })))
        throw deny('BAD_REQUEST', 'This job is running, has completed, or is queued again.');
    }),

  /** Queues a check; `get` returns its result. One runs at a time. */
  verifyLedger: operatorProcedure.mutation(async ({ ctx }): Promise<void> => {
    const id = await startLedgerCheck(ctx.deps.db, ctx.session.user.id);
    if (id === null) throw deny('BAD_REQUEST', 'A check is running already.');
  }),

  signUpPolicy: operatorProcedure.query(async ({ ctx }): Promise<SignUpPolicy> =>
    readSignUpPolicy(ctx.deps.db),
  ),

  /** Existing users stay; invitations and the operator link always work. */
  setSignUpPolicy: operatorProcedure
    .input(z.object({ policy: signUpPolicySchema }))
    .mutation(async ({ ctx, input }): Promise<SignUpPolicy> => {
      const { db, clock } = ctx.deps;
      const { signUp, domains } = input.policy;
      await setSignUpSettings(db, {
        settings: { signUp, signUpDomains: domains },
        now: new Date(clock.nowMs()),
        actorUserId: ctx.session.user.id,
      });
      return readSignUpPolicy(db);
    }),
});
