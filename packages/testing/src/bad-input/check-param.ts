/**
 * Follows the `param` of an error into its body: `messages.0.content`.
 * @returns the error message if it leads to no member and no place of a missing one; null: valid
 */
export function findParamProblem(param: string | null | undefined, body: object): string | null {
  if (param === undefined || param === null || param === '') return 'no param';
  let at: unknown = body;
  const steps = param.split('.');
  for (const [depth, step] of steps.entries()) {
    if (typeof at !== 'object' || at === null) return `${param} leads nowhere`;
    if (!Object.hasOwn(at, step)) {
      // Names in the body may contain dots, so the path ends here.
      const isDotted = Object.keys(at).some((key) => key.includes('.'));
      return depth === steps.length - 1 || isDotted ? null : `${param} leads nowhere`;
    }
    at = Reflect.get(at, step);
  }
  return null;
}
