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
import { readLedgerCheck, runLedgerCheck, type LedgerCheckView } from './run-ledger-check.ts';

export interface SystemView {
  /** Of the console's process. */
  nodeVersion: string;
  database: DatabaseFacts;
  relations: Relation[];
  queues: Queues;
  ledgerCheck: LedgerCheckView | null;
}

export const operatorSystemRouter = router({
  get: operatorProcedure.query(async ({ ctx }): Promise<SystemView> => {
    const { db } = ctx.deps;
    const [database, relations, queues, ledgerCheck] = await Promise.all([
      readDatabaseFacts(db),
      listLargestRelations(db),
      readQueues(db),
      readLedgerCheck(ctx.deps),
    ]);
    return {
      nodeVersion: process.version,
      database,
      relations,
      queues,
      ledgerCheck,
    };
  }),

  setupSteps: operatorProcedure.query(async ({ ctx }): Promise<SetupSteps> => readSetupSteps(ctx.deps.db)),

  /** Begins in the background; `get` tells what came of it. One runs at a time. */
  verifyLedger: operatorProcedure.mutation(async ({ ctx }): Promise<void> => {
    const id = await startLedgerCheck(ctx.deps.db, ctx.session.user.id);
    if (id === null) throw deny('BAD_REQUEST', 'A check is running already.');
    void runLedgerCheck(ctx.deps, id);
  }),

  signUpPolicy: operatorProcedure.query(async ({ ctx }): Promise<SignUpPolicy> =>
    readSignUpPolicy(ctx.deps.db),
  ),

  /** Those who are here stay; invitations into an account and the operator's own link count in any case. */
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
