import { useContext, type ReactNode } from 'react';
import { useTitle } from '../../lib/use-title.ts';
import { BrandMark } from '../ui/brand.tsx';
import { InsideMain } from './main-context.ts';

/** A page with a single message: not found, broken, unreachable. */
export function MessagePage(props: { title: string; children: ReactNode; action: ReactNode }) {
  useTitle(props.title);
  const Container = useContext(InsideMain) ? 'div' : 'main';
  return (
    <Container className="grid min-h-[70dvh] content-center justify-items-center gap-2 px-6 text-center">
      <BrandMark size={28} />
      <h1 className="mt-3 text-xl font-semibold tracking-[-0.015em]">{props.title}</h1>
      <div className="max-w-md text-ink-2">{props.children}</div>
      <div className="mt-4 flex gap-2">{props.action}</div>
    </Container>
  );
}
