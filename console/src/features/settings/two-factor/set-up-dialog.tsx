import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { CodeInput } from '../../../components/ui/code-input.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import {
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogFooter,
} from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { refreshSession } from '../../../lib/session.ts';
import { trpc } from '../../../lib/trpc.ts';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const CODE_LENGTH = 6;

export interface Enrolment {
  secret: string;
  uri: string;
}

/** Enrolls an authenticator app with a code, then shows the recovery codes. */
export function SetUpDialog({ enrolment, onClose }: { enrolment: Enrolment; onClose: () => void }) {
  const [refusals, setRefusals] = useState(0);
  const turnOn = useMutation(
    trpc.twoFactor.turnOn.mutationOptions({ onError: () => setRefusals((count) => count + 1) }),
  );
  const close = () => {
    void queryClient.invalidateQueries(trpc.twoFactor.pathFilter());
    void refreshSession();
    onClose();
  };
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && close()}>
      {turnOn.isSuccess ? (
        <DialogContent
          title="Two-factor authentication is on"
          className="max-w-[460px]"
          hasCloseButton={false}
        >
          <DialogBody>
            <RecoveryCodes codes={turnOn.data.recoveryCodes} />
          </DialogBody>
          <DialogFooter>
            <Button variant="primary" onClick={close}>
              I saved the codes
            </Button>
          </DialogFooter>
        </DialogContent>
      ) : (
        <DialogContent
          title="Set up an authenticator app"
          description="Scan the QR code with any authenticator app, then enter the code it shows."
          className="max-w-[460px]"
        >
          <CodeForm
            // Clear the field after a wrong code.
            key={refusals}
            enrolment={enrolment}
            error={turnOn.isError ? describeError(turnOn.error) : undefined}
            isPending={turnOn.isPending}
            onChange={() => turnOn.isError && turnOn.reset()}
            onSubmit={(code) => turnOn.mutate({ code })}
          />
        </DialogContent>
      )}
    </Dialog>
  );
}

interface CodeFormProps {
  enrolment: Enrolment;
  error: string | undefined;
  isPending: boolean;
  onChange: () => void;
  onSubmit: (code: string) => void;
}

function CodeForm({ enrolment, error, isPending, onChange, onSubmit }: CodeFormProps) {
  const [code, setCode] = useState('');
  const change = (digits: string) => {
    setCode(digits);
    if (digits !== '') onChange();
    if (digits.length === CODE_LENGTH && !isPending) onSubmit(digits);
  };
  return (
    <Form onSubmit={() => onSubmit(code)}>
      <DialogBody>
        <div className="flex flex-wrap items-center gap-5 max-sm:justify-center">
          <QrCode text={enrolment.uri} label="QR code for the authenticator app" />
          <div className="min-w-0 flex-1 basis-44">
            <p className="text-[13px] text-ink-2">Can&rsquo;t scan it? Enter this key manually:</p>
            <p className="my-2 font-mono text-[13px]/5 break-words" data-testid="totp-secret">
              {enrolment.secret.replace(/.{4}(?=.)/g, '$& ')}
            </p>
            <CopyButton size="sm" text={enrolment.secret} label="Copy key" />
          </div>
        </div>
        <Field label="Authenticator code" error={error}>
          {(control) => <CodeInput {...control} value={code} onValueChange={change} isFocusedFirst />}
        </Field>
      </DialogBody>
      <DialogActions disabled={code.length < CODE_LENGTH} isPending={isPending}>
        Turn on
      </DialogActions>
    </Form>
  );
}
