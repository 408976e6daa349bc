#!/usr/bin/env bash
#
# Finds the CUDA toolkit that --config=cuda compiles with, and the cards of this machine. Bazel's
# repository rule (tools/bazel/cuda_toolkit.bzl) asks it, and so does the front door: what the one
# builds with is what the other tells of. Prints a line for each thing found:
#
#   nvcc /usr/local/cuda/bin/nvcc
#   version 13.0
#   include /usr/local/cuda/include
#   libraries /usr/local/cuda/lib64
#   compiles sm_75 sm_80 ...     what this nvcc has machine code for
#   cards sm_90                  what the cards here need; nothing behind it where there is none
#
# or one line, with exit status 1:
#
#   missing SENTENCE
#
# $CUDA_PATH, or else $CUDA_HOME, names the toolkit where it is not in a usual place.

set -euo pipefail

OLDEST=12
ADVICE="Install NVIDIA's CUDA toolkit, version $OLDEST or newer, or name its folder by CUDA_PATH."

# The first of the folders that holds the file.
folder_with() {  # FILE FOLDER...
  local folder
  for folder in "${@:2}"; do
    [[ -e $folder/$1 ]] || continue
    echo "$folder"
    return
  done
  return 1
}

# What `look` has found wrong, for the first folder where it was more than that nvcc is not there.
WRONG=''

# Prints what the toolkit of this folder has, and fails where it is not whole or too old. Debian's own
# packages lie among the system's headers and libraries.
look() {  # FOLDER
  local nvcc=$1/bin/nvcc version include libraries library
  [[ -x $nvcc ]] || return 1
  version=$("$nvcc" --version 2>/dev/null | sed -nE 's/.*release ([0-9]+\.[0-9]+).*/\1/p' || true)
  if [[ -z $version ]]; then
    WRONG=${WRONG:-"$nvcc does not tell its version, so that something is wrong with it. $ADVICE"}
    return 1
  fi
  if ((${version%%.*} < OLDEST)); then
    WRONG=${WRONG:-"$nvcc is of CUDA $version, which is too old. $ADVICE"}
    return 1
  fi
  include=$(folder_with cuda_runtime.h "$1/include" "$1/targets/x86_64-linux/include" /usr/include) || {
    WRONG=${WRONG:-"$nvcc is here, but not cuda_runtime.h. $ADVICE"}
    return 1
  }
  libraries=$(folder_with libcudart_static.a "$1/lib64" "$1/targets/x86_64-linux/lib" "$1/lib" \
    /usr/lib/x86_64-linux-gnu) || {
    WRONG=${WRONG:-"$nvcc is here, but not libcudart_static.a. $ADVICE"}
    return 1
  }
  for library in libcublas.so libcublasLt.so; do
    [[ -e $libraries/$library ]] && continue
    WRONG=${WRONG:-"$nvcc is here, but not $library beside the other libraries in $libraries. $ADVICE"}
    return 1
  done
  echo "nvcc $nvcc"
  echo "version $version"
  echo "include $include"
  echo "libraries $libraries"
  # shellcheck disable=SC2046
  echo compiles $("$nvcc" --list-gpu-code 2>/dev/null || true)
}

# "sm_89" for each kind of card. On WSL2 the driver's tools lie apart.
cards() {
  PATH=$PATH:/usr/lib/wsl/lib nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
    awk -F. '/^[0-9]+\.[0-9]+$/ && !told[$0]++ { print "sm_" $1 $2 }' || true
}

find_toolkit() {
  local folder named=${CUDA_PATH:-${CUDA_HOME:-}} on_path
  local -a folders
  if [[ -n $named ]]; then
    folders=("$named")
  else
    on_path=$(readlink -f "$(command -v nvcc || true)" || true)
    folders=("${on_path%/bin/nvcc}" /usr/local/cuda /usr/lib/nvidia-cuda-toolkit)
  fi
  for folder in "${folders[@]}"; do
    [[ -n $folder ]] || continue
    look "$folder" || continue
    # shellcheck disable=SC2046
    echo cards $(cards)
    return
  done
  if [[ -n $named && -z $WRONG ]]; then
    WRONG="there is no bin/nvcc in $named, which CUDA_PATH or CUDA_HOME names. $ADVICE"
  fi
  echo "missing ${WRONG:-"nvcc, which compiles kernels for a card, is not here. $ADVICE"}"
  return 1
}

find_toolkit
