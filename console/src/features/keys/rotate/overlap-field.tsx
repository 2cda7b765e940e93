import { useId } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { FieldMessage } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { formatDateTime } from '../../../lib/format/time.ts';
import { useNow } from '../../../lib/use-now.ts';
import { toLocalField } from '../../../lib/format/local-field.ts';
import {
  OVERLAP_LABELS,
  OVERLAPS,
  overlapEnd,
  type Overlap,
  type RotateForm,
  type RotateInput,
} from './rotate-form.ts';

const CLOCK_MS = 15_000;

/** When the old key stops: preset durations or a custom date, with the resulting date. */
export function OverlapField({ form }: { form: UseFormReturn<RotateForm, unknown, RotateInput> }) {
  const [overlap, localText] = useWatch({ control: form.control, name: ['overlap', 'endsAt'] });
  const nowMs = useNow(CLOCK_MS);
  const messageId = useId();
  const error = form.formState.errors.endsAt?.message;
  const choose = (next: Overlap) => {
    form.setValue('overlap', next, { shouldDirty: true });
    const start = overlapEnd('24h', '', Date.now());
    if (next === 'on' && localText === '' && start instanceof Date)
      form.setValue('endsAt', toLocalField(start.toISOString()));
    form.clearErrors();
  };
  return (
    <div>
      <p className="mb-[5px] text-[13px] font-medium">Old key stops</p>
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label="Old key stops"
          aria-describedby={messageId}
          value={overlap}
          onValueChange={choose}
          options={OVERLAPS.map((value) => ({ value, label: OVERLAP_LABELS[value] }))}
        />
        {overlap === 'on' && (
          <Input
            {...form.register('endsAt')}
            type="datetime-local"
            aria-label="Stop date and time"
            aria-describedby={messageId}
            aria-invalid={error === undefined ? undefined : true}
            min={toLocalField(new Date(nowMs).toISOString())}
            className="w-auto"
          />
        )}
      </div>
      <FieldMessage id={messageId} hint={describe(overlap, localText, nowMs)} error={error} />
    </div>
  );
}

function describe(overlap: Overlap, localText: string, nowMs: number): string {
  const end = overlapEnd(overlap, localText, nowMs);
  if (end === null) return 'The old key is revoked immediately.';
  if (end === 'invalid') return 'Choose a date and time.';
  return `Both keys work until ${formatDateTime(end)}.`;
}
