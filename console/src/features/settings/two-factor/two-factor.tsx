import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '../../../components/ui/dialog.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Note } from '../../../components/ui/note.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import { Section } from '../section.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUpDialog } from './set-up-dialog.tsx';
import { TurnOffDialog } from './turn-off-dialog.tsx';

export function TwoFactor() {
  const state = useQuery(trpc.twoFactor.get.queryOptions());
  return (
    <Section
      title="Two-factor authentication"
      description="Requires a code from an authenticator app when you sign in. A stolen password is not enough to sign in."
    >
      {state.isPending && <Skeleton className="h-[34px] w-56" />}
      {state.isError && (
        <ErrorState
          title="This section could not be loaded"
          error={state.error}
          onRetry={() => void state.refetch()}
        />
      )}
      {state.isSuccess &&
        (state.data.onSince === null ? (
          <TurnOn />
        ) : (
          <IsOn onSince={state.data.onSince} codesLeft={state.data.recoveryCodesLeft} />
        ))}
    </Section>
  );
}

function TurnOn() {
  const begin = useMutation(trpc.twoFactor.begin.mutationOptions());
  return (
    <div className="grid justify-items-start gap-3">
      <Button isPending={begin.isPending} onClick={() => begin.mutate()}>
        Set up an authenticator app…
      </Button>
      <FormError message={begin.isError ? describeError(begin.error) : undefined} />
      {begin.isSuccess && <SetUpDialog enrolment={begin.data} onClose={() => begin.reset()} />}
    </div>
  );
}

/** Warns below this number of codes. */
const FEW_CODES = 3;

function IsOn({ onSince, codesLeft }: { onSince: string; codesLeft: number }) {
  const [isTurningOff, setIsTurningOff] = useState(false);
  const remake = useMutation(trpc.twoFactor.remakeRecoveryCodes.mutationOptions());
  const close = () => {
    remake.reset();
    void queryClient.invalidateQueries(trpc.twoFactor.pathFilter());
  };
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Chip tone="ok">On</Chip>
        <span className="text-ink-2">
          since <Moment iso={onSince} /> · {codesLeft} recovery {codesLeft === 1 ? 'code' : 'codes'} left
        </span>
      </div>
      {codesLeft < FEW_CODES && (
        <Note tone="warn">Generate new recovery codes while you still have access.</Note>
      )}
      <FormError message={remake.isError ? describeError(remake.error) : undefined} />
      <div className="flex flex-wrap gap-2">
        <Button isPending={remake.isPending} onClick={() => remake.mutate()}>
          New recovery codes…
        </Button>
        <Button onClick={() => setIsTurningOff(true)}>Turn off…</Button>
      </div>
      {isTurningOff && <TurnOffDialog onClose={() => setIsTurningOff(false)} />}
      {remake.isSuccess && (
        <Dialog open onOpenChange={(isOpen) => !isOpen && close()}>
          <DialogContent
            title="New recovery codes"
            description="Old recovery codes no longer work."
            className="max-w-[460px]"
            hasCloseButton={false}
          >
            <DialogBody>
              <RecoveryCodes codes={remake.data.recoveryCodes} />
            </DialogBody>
            <DialogFooter>
              <Button variant="primary" onClick={close}>
                I saved the codes
              </Button>
            </DialogFooter>
          </DialogContent>
        </Dialog>
      )}
    </div>
  );
}
