import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Accepts one finding of the rule pack on one construct, for a reason that a reviewer can judge. */
export function acknowledge(on: IConstruct, id: string, reason: string): void {
  Validations.of(on).acknowledge({ id, reason });
}
