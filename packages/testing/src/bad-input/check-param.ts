/**
 * Follows the `param` of an error into the body that it is about: `messages.0.content`.
 * @returns why it leads neither to a member nor to the place where one is missing; null: it does
 */
export function findParamFault(param: string | null | undefined, body: object): string | null {
  if (param === undefined || param === null || param === '') return 'no param';
  let at: unknown = body;
  const steps = param.split('.');
  for (const [depth, step] of steps.entries()) {
    if (typeof at !== 'object' || at === null) return `${param} leads nowhere`;
    if (!Object.hasOwn(at, step)) {
      // A name of the body may hold dots of its own: it is followed no further.
      const isDotted = Object.keys(at).some((key) => key.includes('.'));
      return depth === steps.length - 1 || isDotted ? null : `${param} leads nowhere`;
    }
    at = Reflect.get(at, step);
  }
  return null;
}
