// Package status is what people see of jobs: their records, also of jobs that no worker has
// taken, their events and parts, and why they wait.
//
//	status.go   Reader: the records of jobs, their events and parts
//	live.go     Live: the newest jobs and the numbers of all, kept from a watch; what changes
//	oldest.go   the oldest change of a campaign that is not in effect
//	order.go    which jobs on its target a job waits for, and how long they take
//	waits.go    why jobs wait, and whether a worker still has its job
//	uploads.go  the uploads that run, and whether their batches are on their way
package status
