import { useEffect, useRef, useState, type ComponentProps } from 'react';
import { cn } from '../../lib/cn.ts';

const DIGITS = 6;

interface CodeInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  value: string;
  onValueChange: (digits: string) => void;
  /** The only field of its page: gets the initial focus. */
  isFocusedFirst?: boolean;
}

/**
 * Six boxes over one true input: pasting, autofill from an email and screen readers work as with any field.
 * Whatever is typed or pasted around the digits is dropped.
 */
export function CodeInput({ value, onValueChange, isFocusedFirst, ...rest }: CodeInputProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocusedFirst) input.current?.focus();
  }, [isFocusedFirst]);
  const [isFocused, setIsFocused] = useState(false);
  const active = Math.min(value.length, DIGITS - 1);
  const isInvalid = rest['aria-invalid'] === true;
  return (
    <div className="relative">
      <div aria-hidden className="grid grid-cols-6 gap-2">
        {Array.from({ length: DIGITS }, (_, index) => (
          <span
            key={index}
            className={cn(
              'grid h-12 place-items-center rounded-lg border border-line-strong bg-surface font-mono text-xl',
              isInvalid && 'border-danger',
              isFocused && index === active && 'border-accent outline-2 outline-accent',
            )}
          >
            {value[index] ?? ''}
          </span>
        ))}
      </div>
      <input
        {...rest}
        ref={input}
        value={value}
        onChange={(event) => onValueChange(event.target.value.replace(/\D/g, '').slice(0, DIGITS))}
        onFocus={() => setIsFocused(true)}
        onBlur={() => setIsFocused(false)}
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\d*"
        className="absolute inset-0 size-full cursor-text bg-transparent text-transparent caret-transparent opacity-0"
      />
    </div>
  );
}
