import {
  DEFAULT_RETRY_BUDGET_MS,
  FIRST_TOKEN_MS,
  REASONING_FIRST_TOKEN_MS,
  ROUTING_STRATEGIES,
  type RoutingPolicy,
} from '@tollgate/core/models/routing-policy';
import type { ReactNode } from 'react';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { cn } from '../../../lib/cn.ts';
import { formatCount } from '../../../lib/format/count.ts';
import { STRATEGY_HINTS, STRATEGY_NAMES, type RoutingTexts } from './routing-form.ts';

/** The form field of each member, in the order of the form; `isWide` ones take a whole row. */
const ROUTING_FIELDS: Record<keyof RoutingPolicy, { RoutingField: () => ReactNode; isWide?: boolean }> = {
  strategy: { RoutingField: StrategyField, isWide: true },
  firstTokenTimeoutMs: {
    RoutingField: () => (
      <TimeField
        name="firstTokenTimeoutMs"
        label="First token timeout (ms)"
        hint={`Then another route is tried. Default: ${formatCount(FIRST_TOKEN_MS)}, and ${formatCount(REASONING_FIRST_TOKEN_MS)} for reasoning models.`}
      />
    ),
  },
  hedgeAfterMs: {
    RoutingField: () => (
      <TimeField
        name="hedgeAfterMs"
        label="Hedge after (ms)"
        hint="Without text for this long, another route is started as well. The first text wins. This costs more."
        placeholder="Off"
      />
    ),
  },
  retryBudgetMs: {
    RoutingField: () => (
      <TimeField
        name="retryBudgetMs"
        label="Retry budget (ms)"
        hint={`Longest wait for a second attempt at the same provider. Default: ${formatCount(DEFAULT_RETRY_BUDGET_MS)}. 0: none.`}
      />
    ),
  },
  healthCheckIntervalS: {
    RoutingField: () => (
      <TimeField
        name="healthCheckIntervalS"
        label="Health check interval (s)"
        hint="Routes that have not answered for this long get a small request. This costs money."
        placeholder="Off"
      />
    ),
  },
  contentPolicyFailover: {
    RoutingField: () => (
      <SwitchField
        name="contentPolicyFailover"
        label="Try another route after a content policy refusal"
        hint="If off, the caller gets the refusal."
      />
    ),
    isWide: true,
  },
  continueStreams: {
    RoutingField: () => (
      <SwitchField
        name="continueStreams"
        label="Continue streams that break off"
        hint="Another attempt writes the rest. If off, the caller gets an error. Requests can override this."
      />
    ),
    isWide: true,
  },
};

/** Form fields for how the requests of a model are routed. */
export function RoutingFields() {
  return (
    <div className="grid gap-[15px] sm:grid-cols-2">
      {Object.entries(ROUTING_FIELDS).map(([name, { RoutingField, isWide = false }]) => (
        <div key={name} className={cn('min-w-0', isWide && 'sm:col-span-2')}>
          <RoutingField />
        </div>
      ))}
    </div>
  );
}

function StrategyField() {
  const { register, control: formControl } = useFormContext<RoutingTexts>();
  const strategy = useWatch({ control: formControl, name: 'strategy' });
  return (
    <Field label="Strategy for routes of the same priority" hint={STRATEGY_HINTS[strategy]}>
      {(control) => (
        <Select {...control} {...register('strategy')}>
          {ROUTING_STRATEGIES.map((name) => (
            <option key={name} value={name}>
              {STRATEGY_NAMES[name]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface TimeFieldProps {
  name: 'firstTokenTimeoutMs' | 'hedgeAfterMs' | 'retryBudgetMs' | 'healthCheckIntervalS';
  label: string;
  hint: string;
  placeholder?: string;
}

function TimeField({ name, label, hint, placeholder = 'Default' }: TimeFieldProps) {
  const { register, formState } = useFormContext<RoutingTexts>();
  return (
    <Field label={label} hint={hint} error={formState.errors[name]?.message}>
      {(control) => <Input {...control} {...register(name)} inputMode="numeric" placeholder={placeholder} />}
    </Field>
  );
}

interface SwitchFieldProps {
  name: 'contentPolicyFailover' | 'continueStreams';
  label: string;
  hint: string;
}

function SwitchField({ name, label, hint }: SwitchFieldProps) {
  const { control } = useFormContext<RoutingTexts>();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange } }) => (
        <Checkbox label={label} hint={hint} checked={value} onCheckedChange={onChange} />
      )}
    />
  );
}
