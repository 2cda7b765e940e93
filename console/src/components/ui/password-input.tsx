import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { cn } from '../../lib/cn.ts';
import { Input } from './input.tsx';

/** A password with a button that shows it: a password that can be read is typed right. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input
        {...rest}
        type={isShown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
        className={cn('pr-10 pointer-coarse:pr-12', className)}
      />
      <button
        type="button"
        aria-label={isShown ? 'Hide password' : 'Show password'}
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
        className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-lg text-ink-3 hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:w-11"
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  );
}
