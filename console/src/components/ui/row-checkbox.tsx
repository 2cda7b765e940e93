import { Check, Minus } from 'lucide-react';
import { Checkbox as Primitive } from 'radix-ui';

interface RowCheckboxProps {
  /** Accessible label, because there is no visible one. */
  label: string;
  checked: boolean | 'indeterminate';
  onToggle: () => void;
}

/** A box to tick in a table. */
export function RowCheckbox({ label, checked, onToggle }: RowCheckboxProps) {
  const Mark = checked === 'indeterminate' ? Minus : Check;
  return (
    <Primitive.Root
      checked={checked}
      onCheckedChange={onToggle}
      aria-label={label}
      className="relative grid size-[18px] place-items-center rounded-[5px] border border-line-strong bg-surface transition-colors duration-100 after:absolute after:-inset-[7px] hover:border-ink-3 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-accent-ink data-[state=indeterminate]:border-accent data-[state=indeterminate]:text-accent pointer-coarse:after:-inset-[13px]"
    >
      <Primitive.Indicator>
        <Mark aria-hidden className="size-3.5" strokeWidth={3} />
      </Primitive.Indicator>
    </Primitive.Root>
  );
}
