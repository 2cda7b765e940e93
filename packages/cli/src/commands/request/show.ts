import { requestIdSchema } from '@tollgate/core/requests/request-filter';
import { findRequestOfInstallation } from '@tollgate/db/queries/requests/find-request';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { requestJson, requestText } from './request-view.ts';

export function addRequestShow(request: Command): void {
  addCommand(request, {
    usage: 'show <REQUEST_ID>',
    summary: 'Show the outcome, tokens, cost and attempts of a request',
    positional: ['requestId'],
    input: z.object({ requestId: requestIdSchema }),
    examples: ['tollgate request show req_01k9zc4t7q8wf3m2n5p6r8s0tv'],
    run: async ({ requestId }, { env }) => {
      const found = await withInstallation(env, ({ db }) =>
        findRequestOfInstallation(db, { requestId, actorUserId: null }),
      );
      if (found === null)
        throw new Failure(
          'request_not_found',
          `Request ${requestId} does not exist, or its month was deleted`,
        );
      return { json: requestJson(found), text: requestText(found) };
    },
  });
}
