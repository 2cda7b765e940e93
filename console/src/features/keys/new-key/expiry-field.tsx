import { useId } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { FieldMessage } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { formatDateTime } from '../../../lib/format/time.ts';
import { useNow } from '../../../lib/use-now.ts';
import { toLocalField } from '../../../lib/format/local-field.ts';
import { EXPIRY_CHOICES, EXPIRY_LABELS, getExpiry, type ExpiryChoice } from './expiry.ts';
import type { NewKeyForm, NewKeyScope } from './new-key-form.ts';

const CLOCK_MS = 15_000;
const DEFAULT_DAYS = '30';

/** Expiry of the key: preset durations or a custom date, with the resulting date. */
export function ExpiryField({ form }: { form: UseFormReturn<NewKeyForm, unknown, NewKeyScope> }) {
  const [choice, localText] = useWatch({ control: form.control, name: ['expires', 'expiresAt'] });
  const nowMs = useNow(CLOCK_MS);
  const messageId = useId();
  const error = form.formState.errors.expiresAt?.message;
  const choose = (next: ExpiryChoice) => {
    form.setValue('expires', next, { shouldDirty: true });
    const start = getExpiry(DEFAULT_DAYS, '', Date.now());
    if (next === 'on' && localText === '' && start instanceof Date) {
      form.setValue('expiresAt', toLocalField(start.toISOString()));
    }
    form.clearErrors('expiresAt');
  };
  return (
    <div>
      <p className="mb-[5px] text-[13px] font-medium">Expires</p>
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label="Expires"
          aria-describedby={messageId}
          value={choice}
          onValueChange={choose}
          options={EXPIRY_CHOICES.map((value) => ({ value, label: EXPIRY_LABELS[value] }))}
        />
        {choice === 'on' && (
          <Input
            {...form.register('expiresAt')}
            type="datetime-local"
            aria-label="Expiry date and time"
            aria-describedby={messageId}
            aria-invalid={error === undefined ? undefined : true}
            min={toLocalField(new Date(nowMs).toISOString())}
            className="w-auto"
          />
        )}
      </div>
      <FieldMessage id={messageId} hint={describe(choice, localText, nowMs)} error={error} />
    </div>
  );
}

function describe(choice: ExpiryChoice, localText: string, nowMs: number): string {
  const expiry = getExpiry(choice, localText, nowMs);
  if (expiry === null) return 'Works until revoked.';
  return expiry === 'invalid' ? 'Choose a date and time.' : formatDateTime(expiry);
}
