// @module-tag long
import { openHttp } from '../doors.ts';
import { describeFullClients } from './full-client-matrix.ts';

describeFullClients('an HTTP service', openHttp);
