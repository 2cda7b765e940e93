import { expect, it } from 'vitest';
import { chooseCores, parseCpuList } from './cores.ts';

it('reads the list format of the kernel', () => {
  expect(parseCpuList('0-2,5')).toEqual([0, 1, 2, 5]);
  expect(parseCpuList('7')).toEqual([7]);
  expect(() => parseCpuList('all')).toThrow('Not a list of cores');
});

it('puts the server and the load on two cores and refuses one', () => {
  expect(chooseCores('3,1')).toEqual({ underTest: 3, load: 1 });
  expect(() => chooseCores('3')).toThrow('needs two processor cores');
});
