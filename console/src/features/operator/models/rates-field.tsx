import { useFormContext } from 'react-hook-form';
import { z } from 'zod';
import { Field } from '../../../components/ui/field.tsx';
import { Textarea } from '../../../components/ui/textarea.tsx';
import type { PriceTexts } from './price-form.ts';

const EXAMPLES = [
  'service_tier:flex = 0.5x',
  'speed:fast = 30/150/3/37.5/60',
  'inference_geo:us = 1.1x',
  'tokens:audio_input = 32',
  'tool_calls:web_search = 10',
].join('\n');

/** Rates in addition to token prices, one per line. */
export function RatesField() {
  const { register, formState } = useFormContext<PriceTexts>();
  return (
    <Field
      label="Additional rates"
      hint="One rate per line. Tiers, speeds and regions: a multiplier, or input/output/cached/cache write/1 h cache write. Audio and image tokens: USD per million. Tool calls: USD per 1,000. Requests that need a missing rate are rejected."
      error={findRateError(formState.errors.rates)}
    >
      {(control) => (
        <Textarea
          {...control}
          {...register('rates')}
          rows={5}
          spellCheck={false}
          placeholder={EXAMPLES}
          className="font-mono text-[12.5px]"
        />
      )}
    </Field>
  );
}

const lineErrorSchema = z.object({ message: z.string().optional() }).catchall(z.unknown());

/** The message of the first invalid line. Error paths use line indexes. */
function findRateError(error: unknown): string | undefined {
  const parsed = lineErrorSchema.safeParse(error);
  if (!parsed.success) {
    if (!Array.isArray(error)) return undefined;
    const [line] = error.flatMap((each: unknown, at) => {
      const message = findRateError(each);
      return message === undefined ? [] : [`Line ${at + 1}: ${message}`];
    });
    return line;
  }
  const { message, ...fields } = parsed.data;
  if (message !== undefined) return message;
  return Object.values(fields)
    .map(findRateError)
    .find((each) => each !== undefined);
}
