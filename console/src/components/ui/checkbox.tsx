import { Check } from 'lucide-react';
import { Checkbox as Primitive } from 'radix-ui';
import { useId, type ReactNode } from 'react';

interface CheckboxProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
}

/** A box to tick, its label, and what ticking it means. The label takes clicks as well. */
export function Checkbox({ label, hint, checked, onCheckedChange }: CheckboxProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-2.5">
      <Primitive.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onCheckedChange(next === true)}
        aria-describedby={hint === undefined ? undefined : hintId}
        className="relative mt-0.5 grid size-[18px] place-items-center rounded-[5px] border border-line-strong bg-surface transition-colors duration-100 after:absolute after:-inset-[7px] hover:border-ink-3 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-accent-ink pointer-coarse:after:-inset-[13px]"
      >
        <Primitive.Indicator>
          <Check aria-hidden className="size-3.5" strokeWidth={3} />
        </Primitive.Indicator>
      </Primitive.Root>
      <div>
        <label htmlFor={id} className="text-[13px]/[22px] font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={hintId} className="text-[12.5px]/[18px] text-ink-3">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
