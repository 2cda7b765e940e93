import { useMutation } from '@tanstack/react-query';
import { MONEY_PRECISIONS, THEMES } from '@tollgate/core/people/display-preferences';
import { useId } from 'react';
import { Field, FieldMessage } from '../../components/ui/field.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { Select } from '../../components/ui/select.tsx';
import { chooseTheme } from '../../lib/choose-theme.ts';
import { useDisplay } from '../../lib/display.ts';
import { browserTimeZone, describeTimeZone } from '../../lib/format/time-zone.ts';
import { saveDisplay } from '../../lib/save-display.ts';
import { useTheme } from '../../lib/theme.ts';
import { useNow } from '../../lib/use-now.ts';
import { Section } from './section.tsx';

const THEME_LABELS = { light: 'Light', dark: 'Dark', system: 'System' } as const;
const THEME_OPTIONS = THEMES.map((value) => ({ value, label: THEME_LABELS[value] }));

const AMOUNT_LABELS = { rounded: 'Rounded ($65.43)', exact: 'Exact ($65.432186905)' } as const;
const AMOUNT_OPTIONS = MONEY_PRECISIONS.map((value) => ({ value, label: AMOUNT_LABELS[value] }));

/** Clocks change twice a year. */
const CLOCK_MS = 3_600_000;

/** Value of the select for the time zone of the browser. */
const BROWSER = '';
// Browsers leave it out of their list.
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** Display preferences, which follow the login. @param props.isOwn false: an operator views an account */
export function Display({ isOwn }: { isOwn: boolean }) {
  const theme = useTheme();
  return (
    <Section
      title="Display"
      description={isOwn ? 'Applies on every device where you sign in.' : 'Applies in this browser.'}
    >
      <div className="grid max-w-sm gap-4">
        <Choice label="Theme" value={theme} options={THEME_OPTIONS} onValueChange={chooseTheme} />
        {isOwn && <OwnDisplay />}
      </div>
    </Section>
  );
}

function OwnDisplay() {
  const { timeZone, moneyPrecision } = useDisplay();
  const save = useMutation({ mutationFn: saveDisplay });
  const nowMs = useNow(CLOCK_MS);
  // A zone that was stored elsewhere may be unknown to this browser's list.
  const zones = timeZone === null || ZONES.includes(timeZone) ? ZONES : [timeZone, ...ZONES];
  return (
    <>
      <Field label="Time zone" hint="Dates, days of reports and date filters use it.">
        {(control) => (
          <Select
            {...control}
            value={timeZone ?? BROWSER}
            onChange={({ target }) =>
              save.mutate({ timeZone: target.value === BROWSER ? null : target.value })
            }
          >
            <option value={BROWSER}>
              Same as browser: {describeTimeZone(new Date(nowMs), browserTimeZone())}
            </option>
            {zones.map((zone) => (
              <option key={zone} value={zone}>
                {zone.replaceAll('_', ' ')}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Choice
        label="Amounts"
        hint="Ledgers, exports and details of a request are always exact."
        value={moneyPrecision}
        options={AMOUNT_OPTIONS}
        onValueChange={(next) => save.mutate({ moneyPrecision: next })}
      />
    </>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  hint?: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onValueChange: (value: T) => void;
}

function Choice<T extends string>({ label, hint, ...rest }: ChoiceProps<T>) {
  const messageId = useId();
  return (
    <div>
      <p className="mb-[5px] text-[13px] font-medium">{label}</p>
      <Segmented label={label} aria-describedby={hint === undefined ? undefined : messageId} {...rest} />
      <FieldMessage id={messageId} hint={hint} />
    </div>
  );
}
