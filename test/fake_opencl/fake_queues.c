// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues with a thread each, and events.
#include "fake_opencl/fake_opencl.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

tn_cl_event fake_event_create(void) {
  event *made = calloc(1, sizeof(*made));
  made->references = 1;
  made->status = 1;
  pthread_mutex_init(&made->mu, NULL);
  pthread_cond_init(&made->cond, NULL);
  fake_objects++;
  return made;
}

void fake_event_retain(tn_cl_event of) { of->references++; }

void fake_event_release(tn_cl_event of) {
  if (--of->references == 0) {
    pthread_mutex_destroy(&of->mu);
    pthread_cond_destroy(&of->cond);
    free(of);
    fake_objects--;
  }
}

void fake_event_end(tn_cl_event of, tn_cl_int status) {
  pthread_mutex_lock(&of->mu);
  of->status = status;
  of->end_ns = now_ns();
  const int count = of->callback_count;
  callback callbacks[CALLBACKS];
  memcpy(callbacks, of->callbacks, sizeof(callbacks));
  of->callback_count = 0;
  pthread_cond_broadcast(&of->cond);
  pthread_mutex_unlock(&of->mu);
  for (int i = 0; i < count; i++) {
    callbacks[i].function(of, status, callbacks[i].user);
  }
}

static tn_cl_int await(tn_cl_event of) {
  pthread_mutex_lock(&of->mu);
  while (of->status > 0) {
    pthread_cond_wait(&of->cond, &of->mu);
  }
  const tn_cl_int status = of->status;
  pthread_mutex_unlock(&of->mu);
  return status;
}

static void run_job(job *work) {
  tn_cl_int status = 0;
  for (tn_cl_uint i = 0; i < work->wait_count; i++) {
    const tn_cl_int one = await(work->waits[i]);
    status = one < 0 ? -14 : status;
    fake_event_release(work->waits[i]);
  }
  if (work->done) {
    work->done->start_ns = now_ns();
  }
  if (status == 0 && work->run) {
    status = fake_failure("execution");
    if (status == 0) {
      work->run(work);
    }
  }
  if (work->done) {
    fake_event_end(work->done, status);
    fake_event_release(work->done);
  }
  free(work);
}

static void *serve(void *arg) {
  queue *self = arg;
  pthread_mutex_lock(&self->mu);
  while (self->first || !self->is_ending) {
    job *work = self->first;
    if (!work) {
      pthread_cond_wait(&self->cond, &self->mu);
      continue;
    }
    self->first = work->next;
    self->last = self->first ? self->last : NULL;
    self->is_busy = true;
    pthread_mutex_unlock(&self->mu);
    run_job(work);
    pthread_mutex_lock(&self->mu);
    self->is_busy = false;
    pthread_cond_broadcast(&self->cond);
  }
  pthread_mutex_unlock(&self->mu);
  return NULL;
}

tn_cl_int fake_enqueue(tn_cl_queue of, const job *wanted, tn_cl_uint count,
                       const tn_cl_event *after, tn_cl_event *out) {
  job *work = malloc(sizeof(*work));
  *work = *wanted;
  work->wait_count = count;
  for (tn_cl_uint i = 0; i < count; i++) {
    work->waits[i] = after[i];
    fake_event_retain(after[i]);
  }
  if (out) {
    *out = work->done = fake_event_create();
    work->done->queue = of;
    fake_event_retain(work->done);
  }
  pthread_mutex_lock(&of->mu);
  if (of->last) {
    of->last->next = work;
  } else {
    of->first = work;
  }
  of->last = work;
  pthread_cond_broadcast(&of->cond);
  pthread_mutex_unlock(&of->mu);
  return TN_CL_SUCCESS;
}

EXPORT tn_cl_queue clCreateCommandQueueWithProperties(tn_cl_context context, tn_cl_device device,
                                                      const tn_cl_bits *properties,
                                                      tn_cl_int *result) {
  *result = fake_failure("clCreateCommandQueueWithProperties");
  if (*result != 0) {
    return NULL;
  }
  queue *made = calloc(1, sizeof(*made));
  made->references = 1;
  made->context = context;
  made->device = device;
  made->properties = properties && properties[0] == TN_CL_QUEUE_PROPERTIES ? properties[1] : 0;
  pthread_mutex_init(&made->mu, NULL);
  pthread_cond_init(&made->cond, NULL);
  pthread_create(&made->thread, NULL, serve, made);
  fake_objects++;
  return made;
}
EXPORT tn_cl_int clRetainCommandQueue(tn_cl_queue of) {
  of->references++;
  return 0;
}
EXPORT tn_cl_int clReleaseCommandQueue(tn_cl_queue of) {
  FAIL("clReleaseCommandQueue");
  if (--of->references == 0) {
    pthread_mutex_lock(&of->mu);
    of->is_ending = true;
    pthread_cond_broadcast(&of->cond);
    pthread_mutex_unlock(&of->mu);
    pthread_join(of->thread, NULL);
    pthread_mutex_destroy(&of->mu);
    pthread_cond_destroy(&of->cond);
    free(of);
    fake_objects--;
  }
  return 0;
}
EXPORT tn_cl_int clGetCommandQueueInfo(tn_cl_queue of, tn_cl_uint what, size_t size, void *out,
                                       size_t *out_size) {
  FAIL("clGetCommandQueueInfo");
  return what == TN_CL_QUEUE_CONTEXT
             ? fake_answer((const void *)&of->context, sizeof(of->context), size, out, out_size)
         : what == TN_CL_QUEUE_DEVICE
             ? fake_answer((const void *)&of->device, sizeof(of->device), size, out, out_size)
             : fake_answer(&of->properties, sizeof(of->properties), size, out, out_size);
}
EXPORT tn_cl_int clFlush(tn_cl_queue of) {
  (void)of;
  return fake_failure("clFlush");
}
EXPORT tn_cl_int clFinish(tn_cl_queue of) {
  FAIL("clFinish");
  pthread_mutex_lock(&of->mu);
  while (of->first || of->is_busy) {
    pthread_cond_wait(&of->cond, &of->mu);
  }
  pthread_mutex_unlock(&of->mu);
  return 0;
}
EXPORT tn_cl_int clEnqueueMarkerWithWaitList(tn_cl_queue of, tn_cl_uint count,
                                             const tn_cl_event *after, tn_cl_event *out) {
  FAIL("clEnqueueMarkerWithWaitList");
  return fake_enqueue(of, &(job){0}, count, after, out);
}
EXPORT tn_cl_int clEnqueueBarrierWithWaitList(tn_cl_queue of, tn_cl_uint count,
                                              const tn_cl_event *after, tn_cl_event *out) {
  FAIL("clEnqueueBarrierWithWaitList");
  return fake_enqueue(of, &(job){0}, count, after, out);
}
EXPORT tn_cl_event clCreateUserEvent(tn_cl_context context, tn_cl_int *result) {
  (void)context;
  *result = fake_failure("clCreateUserEvent");
  return *result == 0 ? fake_event_create() : NULL;
}
EXPORT tn_cl_int clSetUserEventStatus(tn_cl_event of, tn_cl_int status) {
  fake_event_end(of, status);  // a driver where this fails has lost its commands
  return 0;
}
EXPORT tn_cl_int clRetainEvent(tn_cl_event of) {
  FAIL("clRetainEvent");
  fake_event_retain(of);
  return 0;
}
EXPORT tn_cl_int clReleaseEvent(tn_cl_event of) {
  fake_event_release(of);
  return 0;
}
EXPORT tn_cl_int clGetEventInfo(tn_cl_event of, tn_cl_uint what, size_t size, void *out,
                                size_t *out_size) {
  FAIL("clGetEventInfo");
  pthread_mutex_lock(&of->mu);
  const tn_cl_int status = of->status;
  pthread_mutex_unlock(&of->mu);
  return what == TN_CL_EVENT_QUEUE ? fake_answer(&of->queue, sizeof(of->queue), size, out, out_size)
                                   : fake_answer(&status, sizeof(status), size, out, out_size);
}
EXPORT tn_cl_int clSetEventCallback(tn_cl_event of, tn_cl_int at, tn_cl_event_fn function,
                                    void *user) {
  (void)at;
  FAIL("clSetEventCallback");
  pthread_mutex_lock(&of->mu);
  const tn_cl_int status = of->status;
  if (status > 0) {
    of->callbacks[of->callback_count++] = (callback){function, user};
  }
  pthread_mutex_unlock(&of->mu);
  if (status <= 0) {
    function(of, status, user);
  }
  return 0;
}
EXPORT tn_cl_int clWaitForEvents(tn_cl_uint count, const tn_cl_event *events) {
  FAIL("clWaitForEvents");
  tn_cl_int result = 0;
  for (tn_cl_uint i = 0; i < count; i++) {
    result = await(events[i]) < 0 ? -14 : result;
  }
  return result;
}
EXPORT tn_cl_int clGetEventProfilingInfo(tn_cl_event of, tn_cl_uint what, size_t size, void *out,
                                         size_t *out_size) {
  FAIL("clGetEventProfilingInfo");
  const uint64_t *time = what == TN_CL_PROFILING_START ? &of->start_ns : &of->end_ns;
  return fake_answer(time, sizeof(*time), size, out, out_size);
}
EXPORT tn_cl_int clGetDeviceAndHostTimer(tn_cl_device device, uint64_t *out_device,
                                         uint64_t *out_host) {
  (void)device;
  FAIL("clGetDeviceAndHostTimer");
  *out_device = *out_host = now_ns();
  return 0;
}
