import { RadioGroup, Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '../../lib/cn.ts';
import { Tooltip } from './tooltip.tsx';

const TRACK = 'inline-flex max-w-full overflow-x-auto rounded-lg border bg-surface';
const SEGMENT =
  'h-8 shrink-0 grow px-2.5 text-[13px] whitespace-nowrap text-ink-2 transition-colors duration-100 first:rounded-l-[7px] last:rounded-r-[7px] hover:text-ink max-sm:px-2 max-[25rem]:px-1.5 max-[25rem]:text-[12.5px] focus-visible:-outline-offset-2 pointer-coarse:h-11';
const CHOSEN = 'bg-sunken font-medium text-ink';

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  /** `hint`: a tooltip. */
  options: readonly { value: T; label: ReactNode; hint?: string }[];
  onValueChange: (value: T) => void;
  'aria-describedby'?: string | undefined;
  className?: string;
}

/** One of a few, as radio buttons: arrow keys choose. */
export function Segmented<T extends string>(props: SegmentedProps<T>) {
  const { label, value, options, onValueChange, className } = props;
  return (
    <RadioGroup.Root
      aria-label={label}
      aria-describedby={props['aria-describedby']}
      orientation="horizontal"
      value={value}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next);
        if (option !== undefined) onValueChange(option.value);
      }}
      className={cn(TRACK, className)}
    >
      {options.map((option) => {
        const item = (
          <RadioGroup.Item
            key={option.value}
            value={option.value}
            className={cn(SEGMENT, option.value === value && CHOSEN)}
          >
            {option.label}
          </RadioGroup.Item>
        );
        if (option.hint === undefined) return item;
        return (
          <Tooltip key={option.value} content={option.hint}>
            {item}
          </Tooltip>
        );
      })}
    </RadioGroup.Root>
  );
}

/** The same look for the tabs of one panel. */
export function SegmentedTabsList(props: {
  label: string;
  value: string;
  tabs: readonly { value: string; label: string }[];
}) {
  return (
    <Tabs.List aria-label={props.label} className={TRACK}>
      {props.tabs.map((tab) => (
        <Tabs.Trigger
          key={tab.value}
          value={tab.value}
          className={cn(SEGMENT, tab.value === props.value && CHOSEN)}
        >
          {tab.label}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  );
}
