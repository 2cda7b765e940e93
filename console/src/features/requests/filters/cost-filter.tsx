import { parseUsd } from '@tollgate/core/money/money';
import { useEffect, useState } from 'react';
import { MoneyInput } from '../../../components/ui/money-input.tsx';

const DEBOUNCE_MS = 400;

/** The least cost, in dollars; applied a moment after the last digit. */
export function CostFilter(props: {
  minCost: string | undefined;
  onChange: (minCost: string | undefined) => void;
}) {
  const { minCost = '', onChange } = props;
  const [text, setText] = useState(minCost);
  const [applied, setApplied] = useState(minCost);
  // It changed from outside ("back", a link): the field follows.
  if (minCost !== applied) {
    setApplied(minCost);
    setText(minCost);
  }
  const wanted = text.trim();
  const isWrong = wanted !== '' && parseUsd(wanted) === null;
  useEffect(() => {
    if (wanted === minCost || isWrong) return undefined;
    const timer = setTimeout(() => {
      setApplied(wanted);
      onChange(wanted === '' ? undefined : wanted);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted, isWrong, minCost, onChange]);
  return (
    <MoneyInput
      aria-label="Min cost in USD"
      aria-invalid={isWrong || undefined}
      title={isWrong ? 'Enter an amount in USD, such as 0.05' : 'Min cost'}
      placeholder="Min cost"
      maxLength={24}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
